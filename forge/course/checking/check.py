"""Judge a replacement for one function of forge by the stage's real contract tests."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from ...errors import ContractInvalid
from .interrupts import at_work, uninterrupted
from .limits import Alarm, Limits, OverTime
from .results import Recorder, Report, TestResult, Verdict, title_of
from .substitute import DELEGATED, Substitution, substitute
from .surroundings import captured, undisturbed
from .targets import is_target

__all__ = ["Limits", "OverTime", "Report", "TestResult", "check", "run_tests", "time_limited"]

_DEFAULT = Limits()
FORGOTTEN = "is a return missing?"

Notify = Callable[[str], None]

_OPTIONS = (
    "--disable-plugin-autoload",  # a learner's plug-ins are not ours, and cost a fifth of a second
    "--noconftest",
    "--import-mode=importlib",
    "--capture=no",
    *(f"-pno:{plugin}" for plugin in ("cacheprovider", "terminal", "faulthandler", "debugging")),
    *(f"-pno:{plugin}" for plugin in ("unraisableexception", "threadexception")),  # each collects garbage
)


def check(
    target: str,
    replacement: Callable[..., Any],
    tests: Sequence[str],
    *,
    module: Path,
    limits: Limits = _DEFAULT,
    notify: Notify | None = None,
) -> Report:
    """Run `tests`, which stand in the file `module`, with `replacement` in the place of `target`.

    The verdict is "passed" only when every test was seen to pass, within its time, and the replacement was
    called; "not attempted" when its own code raises `NotImplementedError`; "could not judge" when the tests
    do not reach it or cannot run. `notify` is given a text when the check hangs where nothing can end it; by
    default it is printed. A test that does not exist raises `ContractInvalid`, a target that cannot be
    replaced, now or ever, `SubstitutionRefused`, and the user's interrupt is passed on.
    """
    if is_target(target, replacement):
        reason = f"the answer is forge's own {target.partition(':')[2]}"
        return Report(target=target, verdict="failed", reason=reason, results=_not_run(tests))
    with substitute(target, replacement) as substitution:
        seen, output = _run(tests, module, limits, notify, substitution)
    return _judge(seen, output, substitution)


def run_tests(
    tests: Sequence[str], *, module: Path, limits: Limits = _DEFAULT, notify: Notify | None = None
) -> Report:
    """Run `tests` of the file `module` on forge as it is."""
    seen, output = _run(tests, module, limits, notify, None)
    return _judge(seen, output, None)


def time_limited(
    function: Callable[[], Any], *, limits: Limits = _DEFAULT, notify: Notify | None = None
) -> Any:
    """What `function` returns, its output dropped. Over the limit of a test, `OverTime` is raised."""
    alarm = Alarm(notify or _printer(), kill=limits.kill)
    with uninterrupted(at_work), undisturbed(), captured(limits.output), alarm, alarm.limit(limits.test):
        return function()


def _run(
    tests: Sequence[str],
    module: Path,
    limits: Limits,
    notify: Notify | None,
    substitution: Substitution | None,
) -> tuple[Recorder, str]:
    module = module.resolve()
    alarm = Alarm(notify or _printer(), kill=limits.kill)
    cleaned = tempfile.TemporaryDirectory(prefix="forge-check-", ignore_cleanup_errors=True)
    with uninterrupted(at_work), cleaned as folder:
        scratch = Path(folder)
        settings = scratch / "pytest.ini"
        settings.write_text("[pytest]\n", encoding="utf-8")
        places = ["-c", str(settings), f"--rootdir={module.parent}", f"--basetemp={scratch / 'tests'}"]
        recorder = Recorder(tests, module, limits, alarm, substitution=substitution, scratch=scratch)
        with undisturbed(module), captured(limits.output) as output, alarm:
            code = pytest.main([*_OPTIONS, *places, str(module)], plugins=[recorder])
    if recorder.interrupted:
        raise KeyboardInterrupt
    if recorder.missing and not (recorder.trouble or recorder.over_time):
        raise ContractInvalid(
            f"no such test in {module.name}",
            f"{', '.join(recorder.missing)} was to be run.",
            f"It holds {', '.join(recorder.known) or 'no test'}.",
            path=str(module),
        )
    if code not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED} and not recorder.over_time:
        recorder.trouble = recorder.trouble or f"pytest ended with code {int(code)}"
    return recorder, output.text()


def _judge(seen: Recorder, output: str, substitution: Substitution | None) -> Report:
    results = tuple(seen.results.values())
    verdict, reason = _verdict(seen, results, substitution)
    return Report(
        target=substitution.target if substitution else "",
        verdict=verdict,
        reason=reason,
        results=results,
        calls=substitution.calls if substitution else 0,
        output=output,
    )


def _verdict(
    seen: Recorder, results: tuple[TestResult, ...], substitution: Substitution | None
) -> tuple[Verdict, str]:
    said = "\n".join(result.message for result in results)
    if substitution and substitution.unfinished:
        return "not attempted", "it raises NotImplementedError"
    if substitution and substitution.delegated:
        return "failed", "" if DELEGATED in said else DELEGATED
    if seen.over_time:
        return "failed", "" if seen.over_time in said else seen.over_time
    if seen.trouble:
        if seen.trouble_in_answer:
            return "failed", seen.trouble
        return "could not judge", f"the tests could not run: {seen.trouble}"
    if substitution and not substitution.calls:
        return "could not judge", f"no test called {substitution.name}"
    if any(result.outcome not in {"passed", "not run"} for result in results):
        return "failed", _forgotten(substitution)
    for result in results:
        if result.outcome != "passed":
            return "could not judge", f"{result.name} did not run: {result.message}"
    return "passed", ""


def _forgotten(substitution: Substitution | None) -> str:
    """What to suspect when every call returned None, and the function that is replaced never does."""
    if substitution is None or not substitution.returned_nothing or substitution.raised is not None:
        return ""
    promised = str(substitution.function.__annotations__.get("return", "None"))
    return "" if "None" in promised else f"the answer returned nothing: {FORGOTTEN}"


def _not_run(tests: Sequence[str]) -> tuple[TestResult, ...]:
    return tuple(TestResult(name=name, title=title_of(name)) for name in tests)


def _printer() -> Notify:
    # The stream as it is now: during the check it is the answer's.
    stream = sys.stderr
    return lambda text: print(text, file=stream, flush=True)
