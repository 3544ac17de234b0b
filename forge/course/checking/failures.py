"""Say in a few words how a test failed: what was expected, what was found, and where."""

from __future__ import annotations

import ast
import bdb
import inspect
import linecache
import re
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from traceback import walk_tb
from typing import Any

import pytest

from ...errors import SubstitutionRefused
from .showing import Comparison, shorten, show
from .substitute import Substitution
from .targets import code_of, line_in


@dataclass(frozen=True)
class Failure:
    """One failure, as a reader needs it. Empty: not known, or nothing to say."""

    message: str
    expected: str = ""
    found: str = ""
    where: str = ""
    answer: str = ""
    """The line of the answer that raised: `line 4: step = event.payload["step"]`."""


def describe(
    error: BaseException,
    module: Path,
    *,
    comparison: Comparison | None = None,
    substitution: Substitution | None = None,
    scratch: Path | None = None,
) -> Failure:
    """How `error` ended a test of the file `module`. Paths below `scratch` are shown as `<tmp>`."""
    lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == str(module)]
    failure = _expectation(error)
    if (
        failure is None
        and isinstance(error, AssertionError)
        and lines
        and not _in_answer(error, substitution)
    ):
        failure = _assertion(str(error), module, lines[-1], comparison)
    failure = failure or _misuse(error, substitution) or _error(error, substitution)
    return replace(
        failure,
        message=_hide(failure.message, module, scratch),
        expected=_hide(failure.expected, module, scratch),
        found=_hide(failure.found, module, scratch),
        where=f"{module.name}:{lines[0]}" if lines else "",
        answer=_answer_line(error, failure.found, substitution),
    )


def _expectation(error: BaseException) -> Failure | None:
    """What `pytest.raises` and `pytest.fail` say."""
    text = str(error)
    if mismatch := re.search(r"Expected regex: (.+)\n\s*Actual message: (.+)", text):
        expected, found = f"words that match {mismatch[1]}", mismatch[2]
        return Failure("the error says something else", shorten(expected), shorten(found))
    if not isinstance(error, pytest.fail.Exception):
        return None
    if nothing := re.match(r"DID NOT RAISE (.+)", text):
        return Failure("an error was expected and none was raised", nothing[1], "no error")
    return Failure(shorten(text.partition("\n")[0]))


def _misuse(error: BaseException, substitution: Substitution | None) -> Failure | None:
    """What is wrong with an answer before it comes to what it says."""
    if isinstance(error, SubstitutionRefused):
        return Failure(error.words, found=error.facts)
    if isinstance(error, SystemExit):
        return Failure("the answer ends the program: it calls sys.exit()")
    if isinstance(error, bdb.BdbQuit):
        return Failure("the answer starts a debugger: nobody can be asked during a check")
    if isinstance(error, RecursionError):
        return Failure("the answer calls itself without end")
    if substitution is None or _in_answer(error, substitution):
        return None
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    if isinstance(error, TypeError) and frames and frames[-1].f_code is type(substitution).forward.__code__:
        wanted, given = substitution.function, substitution.replacement
        return Failure("the parameters do not fit", _signature(wanted), _signature(given))
    if isinstance(error, AttributeError | TypeError | LookupError) and _came_back(substitution):
        return Failure(
            f"the test cannot use what the answer returned: {_named(error)}",
            str(substitution.function.__annotations__.get("return", "")),
            "None: is a return missing?" if substitution.returned is None else show(substitution.returned),
        )
    return None


def _came_back(substitution: Substitution) -> bool:
    return substitution.calls > 0 and substitution.raised is None


def _error(error: BaseException, substitution: Substitution | None) -> Failure:
    return Failure(f"the answer raised {_named(error)}" if _in_answer(error, substitution) else _named(error))


def _named(error: BaseException) -> str:
    text = str(error).strip().partition("\n")[0]
    return shorten(f"{type(error).__name__}: {text}" if text else type(error).__name__)


def _assertion(text: str, module: Path, line: int, comparison: Comparison | None) -> Failure:
    own, is_rewritten, explanation = f"\n{text}".partition("\nassert ")
    condition, compares = _condition(module, line)
    message = shorten(own.strip().partition("\n")[0]) or condition
    if is_rewritten and compares and comparison is not None:
        return Failure(message, comparison.expected, comparison.found)
    if kind := re.search(r"False = isinstance\((.+), (\w+)\)", explanation):
        return Failure(message, f"a {kind[2]}", shorten(kind[1]))
    return Failure(message)


def _condition(module: Path, line: int) -> tuple[str, bool]:
    """The assert statement at `line` in words, and whether it compares two values."""
    source = module.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assert) and node.lineno <= line <= (node.end_lineno or line):
            test = node.test
            if isinstance(test, ast.Compare) and len(test.ops) == 1:
                if isinstance(test.ops[0], ast.Eq):
                    return f"{shorten(ast.get_source_segment(source, test.left) or '', 80)} is wrong", True
                return f"this does not hold: {shorten(ast.get_source_segment(source, test) or '', 80)}", True
            return f"this does not hold: {shorten(ast.get_source_segment(source, test) or '', 80)}", False
    return "", False


def _in_answer(error: BaseException, substitution: Substitution | None) -> bool:
    return substitution is not None and line_in(substitution.replacement, error) > 0


def _signature(function: Any) -> str:
    parameters = [p.replace(annotation=p.empty) for p in inspect.signature(function).parameters.values()]
    return f"{function.__name__}{inspect.Signature(parameters)}"


def _answer_line(error: BaseException, found: str, substitution: Substitution | None) -> str:
    code = code_of(substitution.replacement) if substitution else None
    if substitution is None or code is None:
        return ""
    raised = substitution.raised
    if raised is not None and type(raised).__name__ in found:
        error = raised  # the test caught what the answer raised, and compared its text
    line = line_in(substitution.replacement, error)
    source = linecache.getline(code.co_filename, line).strip()
    return shorten(f"line {line}: {source}") if line and source else f"line {line}" if line else ""


def _hide(text: str, module: Path, scratch: Path | None) -> str:
    """The text without the folders that differ from one machine or run to the next."""
    for folder, below in ((scratch, r"[/\\]tests[/\\][^/\\\s'\"]+"), (Path(tempfile.gettempdir()), "")):
        if folder is not None:
            for path in (folder, folder.resolve()):
                text = re.sub(re.escape(str(path)) + below, "<tmp>", text)
    return re.sub(re.escape(str(module.parent)) + r"[/\\]", "", text)
