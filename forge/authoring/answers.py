"""The functions that stand in the answer cells of an edition, taken out by running its cells in process."""

from __future__ import annotations

import contextlib
import io
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any
from unittest import mock

from IPython.display import display

from .. import course
from .cells import KINDS, Cell, Source
from .editions import Edition, text

Function = Callable[..., Any]


@dataclass
class Collected:
    """What running an edition gave: the answers by kind and id, and the cells that raised."""

    functions: dict[tuple[str, str], Function] = field(default_factory=dict)
    raised: list[tuple[Cell, str]] = field(default_factory=list)


def collect(source: Source, edition: Edition, folder: Path) -> Collected:
    """Run every code cell of an edition with a stage that takes answers and judges none.

    Each cell is written to `folder` first, because a check reads the text of the answer it judges. The
    names that the cells bind stay in a module of their own.
    """
    found = Collected()
    module = ModuleType(f"notebook_{source.stem}_{edition}")
    silent = _Silent()
    vars(module).update(display=display, get_ipython=lambda: silent)
    sys.modules[module.__name__] = module
    with mock.patch.object(course, "open_stage", return_value=_Taking(found)):
        for number, cell in enumerate(source.cells, start=1):
            if cell.kind != "code":
                continue
            path = folder / f"{source.stem}_{edition}_{number:03d}.py"
            path.write_text(text(cell, edition), encoding="utf-8")
            with _quiet():
                try:
                    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), vars(module))
                except Exception as error:
                    found.raised.append((cell, traceback.format_exception_only(error)[-1].strip()))
    return found


class _Silent:
    """Answers every call with nothing."""

    def __getattr__(self, name: str) -> Function:
        return lambda *_args, **_kwargs: None


class _Taking(_Silent):
    """The stage of a notebook whose answers are collected."""

    def __init__(self, found: Collected) -> None:
        self._found = found

    def __getattr__(self, kind: str) -> Function:
        if kind not in KINDS:
            return super().__getattr__(kind)

        def take(name: str) -> Function:
            def decorate(function: FunctionType) -> Function:
                self._found.functions[kind, name] = _as_seen(function)
                return function

            return decorate

        return take


def _as_seen(function: FunctionType) -> Function:
    """The function with the names that its cell sees now: a later cell may bind `start_run` anew."""
    names = dict(function.__globals__)
    kept = FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    kept.__kwdefaults__ = function.__kwdefaults__
    kept.__annotations__ = function.__annotations__
    names[function.__name__] = kept
    return kept


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield
