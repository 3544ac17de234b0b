"""A learner's answer as a function and as a text: what it says, whether that is what runs, what it calls."""

from __future__ import annotations
import __future__

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

from ...errors import CourseError
from .interrupts import at_work, uninterrupted
from .targets import code_of, function_of

Answer = Callable[..., Any]

_FUTURE = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)


def answer_source(answer: Answer) -> str:
    """The text of the answer, without its indentation. An answer whose text is lost raises `CourseError`."""
    try:
        return textwrap.dedent(inspect.getsource(answer))
    except (OSError, TypeError):
        raise CourseError(
            "the text of this answer cannot be found",
            f"{getattr(answer, '__name__', answer)!r} was not defined by a plain cell or a file.",
            "Write it with def below its decorator, in a cell without %%time, %%timeit or exec(). "
            "A check has a time limit of its own.",
        ) from None


def same_code(answer: Answer, source: str) -> bool:
    """Whether the answer is, statement for statement, the function of the same name in `source`."""
    written = _functions(answer_source(answer))
    given = _functions(source)
    return bool(written) and written == {name: body for name, body in given.items() if name in written}


def _functions(source: str) -> dict[str, str]:
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return {}
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.decorator_list = []
            found[node.name] = ast.dump(node)
    return found


def runs_as_written(answer: Answer) -> bool:
    """Whether the code that runs is what the text of its cell or file compiles to.

    A module that was edited after its import has another text than the one that was checked.
    """
    code = code_of(answer)
    if code is None:
        return False
    try:
        lines, _ = inspect.findsource(code)
        flags = code.co_flags & _FUTURE | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        tree = ast.parse("".join(lines))
        # A file is compiled whole, a cell one statement after another: then a name that the cell imports is
        # no module to the compiler, and a call of one of its functions becomes other code.
        parts = [tree, *(ast.Module([statement], []) for statement in tree.body)]
        written = [compile(part, code.co_filename, "exec", flags=flags, dont_inherit=True) for part in parts]
    except (OSError, SyntaxError, ValueError):
        return False
    wanted = _bare(code)
    found = (each for part in written for each in _codes(part) if each.co_name == code.co_name)
    return any(_bare(each) == wanted for each in found)


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def _bare(code: CodeType) -> CodeType:
    """The code without what depends on where it stands."""
    constants = tuple(_bare(c) if isinstance(c, CodeType) else c for c in code.co_consts)
    flags = code.co_flags & ~inspect.CO_NESTED
    return code.replace(
        co_consts=constants,
        co_flags=flags,
        co_filename="",
        co_firstlineno=1,
        co_linetable=b"",
        co_qualname="",
    )


@contextmanager
def calls_itself(answer: Answer) -> Iterator[None]:
    """Let the answer's own name mean the answer while the block runs, and not an earlier definition."""
    function = function_of(answer)
    if function is None:
        yield
        return
    names, name = function.__globals__, function.__name__
    with uninterrupted(at_work):
        earlier = {name: names[name]} if name in names else {}
        names[name] = answer
        try:
            yield
        finally:
            names.pop(name, None)
            names.update(earlier)
