"""The answers of one notebook in the kernel that runs them, and the functions of forge that they stand for.

In the forge of such a kernel every graded target is a call of `forward`: it reaches the answer that is being
judged, else the reference, once the grader has sent it, and else nothing. So no answer can ask forge for the
result. All of this stands in the learner's hands, and may: the values displayed here are compared elsewhere,
with values that this process never sees.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType, ModuleType
from typing import Any

MIME = "application/vnd.forge.probe+json"
SHOWN = 4_000
"""How many characters of one value are displayed."""

Function = Callable[..., Any]

_taken: dict[str, Function] = {}
_answers: dict[str, Function] = {}
_references: dict[str, Function] = {}
_judging: dict[str, Function] = {}
_probes = ModuleType("probes")
_missed: list[str] = []
"""Targets that were called while they were not here."""
_waiting: list[str] = []
"""Cells that failed for want of such a target."""


class NotHere(RuntimeError):
    """A function of forge was called whose answers have not been judged yet."""


def forward(target: str, *args: Any, **kwargs: Any) -> Any:
    """What every graded target of forge does here."""
    function = _judging.get(target) or _references.get(target)
    if function is None:
        _missed.append(target)
        raise NotHere(f"{target} is not here before its answers are judged")
    return function(*args, **kwargs)


def take(item: str, answer: Function) -> None:
    """Take the answer to an item."""
    _taken[item] = answer


def settle() -> None:
    """Keep a cell's answers with the names that it sees at its end: a later cell may bind them anew."""
    for item, answer in _taken.items():
        _answers[item] = _as_seen(answer) if isinstance(answer, FunctionType) else answer
    _taken.clear()


def prepare(probes: str) -> None:
    """Take the functions that run an answer on one input, one of each item's name."""
    exec(compile(probes, "<probes>", "exec"), vars(_probes))
    with contextlib.suppress(ImportError, AttributeError):
        from IPython import get_ipython

        get_ipython().events.register("post_run_cell", _note)


def provide(sources: Mapping[str, str]) -> None:
    """Put references in their place, and run again the cells that failed without them."""
    for target, source in sources.items():
        _references[target] = made(target, source)
    from IPython import get_ipython

    shell, cells = get_ipython(), _waiting[:]
    _waiting.clear()
    for cell in cells:
        shell.run_cell(cell)


def made(target: str, source: str) -> Function:
    """The function of a text that has the target's name, with the names that the target's module has."""
    module, _, name = target.partition(":")
    names = dict(vars(importlib.import_module(module)))
    exec(compile(f"from __future__ import annotations\n{source}", "<forge>", "exec"), names)
    function: Function = names[name.rpartition(".")[2]]
    return function


@contextlib.contextmanager
def edition(sources: Mapping[str, str]) -> Iterator[None]:
    """Another edition of forge, for the length of a block: these functions in place of the references."""
    before = dict(_references)
    _references.update({target: made(target, source) for target, source in sources.items()})
    try:
        yield
    finally:
        _references.clear()
        _references.update(before)


def values(item: str, target: str, cases: Sequence[Any], *, reference: bool = False) -> list[str] | None:
    """What the answer gives for each case, as JSON text; None when there is no answer."""
    settle()
    answer = _references[target] if reference else _answers.get(item)
    if answer is None:
        return None
    _judging[target] = answer
    try:
        return [_value(vars(_probes)[item], answer, case) for case in cases]
    finally:
        _judging.clear()


def judge(item: str, target: str, cases: str) -> None:
    """Display what the answer to an item gives for each case."""
    from IPython.display import display

    found = values(item, target, json.loads(cases))
    display({MIME: {"item": item, "values": found}}, raw=True)


def _value(run: Function, answer: Function, case: Any) -> str:
    """The value of one case, run in a new folder, with nothing of what it prints."""
    with (
        tempfile.TemporaryDirectory(prefix="case-", ignore_cleanup_errors=True) as folder,
        _quiet(),
        _in(folder),
    ):
        try:
            found = json.dumps(run(answer, case), sort_keys=True, ensure_ascii=True)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            found = json.dumps({"raised": type(error).__name__})
    return found if len(found) <= SHOWN else found[:SHOWN] + "…"


class _Sink(io.TextIOBase):
    """Takes what is printed and keeps nothing."""

    def write(self, text: str) -> int:
        return len(text)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with contextlib.redirect_stdout(_Sink()), contextlib.redirect_stderr(_Sink()):
        yield


@contextlib.contextmanager
def _in(folder: str) -> Iterator[None]:
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(tempfile.gettempdir())


def _note(result: Any) -> None:
    """Settle a cell's answers, and remember the cell if it failed because a target was not here."""
    settle()
    if not result.success and _missed:
        _waiting.append(result.info.raw_cell)
    _missed.clear()


def _as_seen(answer: FunctionType) -> FunctionType:
    live = answer.__globals__
    names = dict(live)
    for name, value in live.items():
        if isinstance(value, FunctionType) and value.__globals__ is live:
            names[name] = _on(value, names)
    names[answer.__name__] = kept = _on(answer, names)
    return kept


def _on(function: FunctionType, names: dict[str, Any]) -> FunctionType:
    made = FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__ = function.__kwdefaults__
    made.__dict__.update(function.__dict__)
    return made
