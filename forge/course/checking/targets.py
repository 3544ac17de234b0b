"""Find the function that a target names, and the code behind a function's wrappings."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Iterator
from traceback import walk_tb
from types import CodeType, FunctionType
from typing import Any

from ...errors import SubstitutionRefused


def resolve(target: str) -> FunctionType:
    """The function that `target` names: of a method, property, static or class method, the function inside.

    Raises `SubstitutionRefused` when there is no such thing or it is no plain Python function.
    """
    module, _, names = target.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for name in names.split("."):
            found = inspect.getattr_static(found, name)
    except (ImportError, AttributeError, ValueError) as error:
        raise SubstitutionRefused("no such function", f"{target}: {error}.", target=target) from None
    function = inner(found)
    if not isinstance(function, FunctionType):
        raise SubstitutionRefused(
            "only a plain Python function can be replaced",
            f"{target} is a {type(found).__name__}.",
            target=target,
        )
    return function


def is_target(target: str, replacement: object) -> bool:
    """Whether `replacement` is the target itself: the same function, or its code in another wrapping."""
    code = resolve(target).__code__
    return any(getattr(layer, "__code__", None) is code for layer in _layers(replacement))


def line_in(function: object, error: BaseException) -> int:
    """The innermost line of the function's file or cell that `error` passed through, or 0."""
    code = code_of(function)
    lines = [line for frame, line in walk_tb(error.__traceback__) if code and _same_file(frame.f_code, code)]
    return lines[-1] if lines else 0


def raised_by(function: object, error: BaseException) -> bool:
    """Whether the code that raised stands in the file or cell of `function`."""
    code = code_of(function)
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    return bool(frames) and code is not None and _same_file(frames[-1].f_code, code)


def _same_file(one: CodeType, other: CodeType) -> bool:
    return one.co_filename == other.co_filename


def code_of(function: object) -> CodeType | None:
    """The code of a function behind its decorators, or None."""
    plain = function_of(function)
    return plain.__code__ if plain else None


def function_of(function: object) -> FunctionType | None:
    """The plain function behind decorators, or None."""
    found = [layer for layer in _layers(function) if isinstance(layer, FunctionType)]
    return found[-1] if found else None


def _layers(function: Any) -> Iterator[Any]:
    seen: set[int] = set()
    while function is not None and id(function) not in seen:
        seen.add(id(function))
        function = inner(function)
        yield function
        is_partial = isinstance(function, functools.partial)
        function = function.func if is_partial else getattr(function, "__wrapped__", None)


def inner(found: Any) -> Any:
    """The function inside a method, property, static or class method, or `found` itself."""
    if isinstance(found, property):
        return found.fget
    if isinstance(found, functools.cached_property):
        return found.func
    return getattr(found, "__func__", found)
