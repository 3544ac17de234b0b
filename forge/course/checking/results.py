"""What a check reports, and the pytest plug-in that sees it happen."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

import pytest

from ...errors import ForgeModel
from .failures import Failure, describe
from .limits import Alarm, Limits, OverTime
from .showing import Comparison, compare, shorten
from .substitute import Substitution
from .surroundings import kept_bytecode
from .targets import line_in, raised_by

Verdict = Literal["passed", "failed", "not attempted", "could not judge"]
Outcome = Literal["passed", "failed", "error", "timeout", "not run"]


class TestResult(ForgeModel):
    """One contract test. `seconds` is the only field that differs from one run to the next."""

    __test__ = False  # pytest need not look for tests in here

    name: str
    title: str = ""
    outcome: Outcome = "not run"
    message: str = ""
    expected: str = ""
    found: str = ""
    where: str = ""
    answer: str = ""
    """The line of the answer that raised, if one did: `line 4: step = event.payload["step"]`."""
    error_class: str = ""
    seconds: float = 0.0


class Report(ForgeModel):
    """What came of a check. `reason` says what the results alone do not, and `story` what it speaks of."""

    target: str
    verdict: Verdict
    reason: str = ""
    story: str = ""
    results: tuple[TestResult, ...] = ()
    calls: int = 0
    output: str = ""


class Recorder:
    """A pytest plug-in that runs the requested tests, each within its limit, and keeps what it saw."""

    def __init__(
        self,
        names: Sequence[str],
        module: Path,
        limits: Limits,
        alarm: Alarm,
        *,
        substitution: Substitution | None,
        scratch: Path,
    ) -> None:
        self.results = {name: TestResult(name=name, title=title_of(name)) for name in names}
        self.known: list[str] = []
        self.missing: list[str] = []
        self.over_time = ""
        self.trouble = ""
        """Why pytest could not do its work, or empty."""
        self.trouble_in_answer = False
        self.interrupted = False
        self._names = names
        self._module = module
        self._limits = limits
        self._alarm = alarm
        self._substitution = substitution
        self._scratch = scratch
        self._end = time.monotonic() + limits.check
        self._comparison: Comparison | None = None

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the requested tests, in the order requested."""
        found = {_name(item): item for item in items}
        self.known = list(found)
        chosen = {name: [n for n in found if n == name or n.startswith(f"{name}[")] for name in self._names}
        self.missing = [name for name, matches in chosen.items() if not matches]
        if self.missing:
            items.clear()
            return
        names = [name for matches in chosen.values() for name in matches]
        self.results = {name: TestResult(name=name, title=title_of(name)) for name in names}
        items[:] = [found[name] for name in self.results]

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Generator[None, Any, Any]:
        """Limit the import of the test module, which may call the answer. Finding the file calls nothing."""
        limited = self._limit() if isinstance(collector, pytest.Module) else nullcontext()
        with kept_bytecode(self._module), limited:
            return (yield)

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_setup(self) -> Generator[None, Any, Any]:
        """Limit the fixtures of a test."""
        with self._limit():
            return (yield)

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_call(self) -> Generator[None, Any, Any]:
        """Limit a test."""
        with self._limit():
            return (yield)

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Limit what the fixtures clean up, and run no further test when the check is over time."""
        if time.monotonic() > self._end:
            item.session.shouldstop = self.over_time = self._too_long()
        with self._limit(self._limits.test):
            return (yield)

    def pytest_assertrepr_compare(self, op: str, left: object, right: object) -> None:
        """Keep the two sides of the comparison that does not hold."""
        self._comparison = compare(op, left, right)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport:
        """Keep how a test went; pytest's own report, which nobody prints, stays empty."""
        so_far = self.results[_name(item)]
        update: dict[str, Any] = {"seconds": so_far.seconds + call.duration}
        if call.excinfo is not None and so_far.outcome in {"not run", "passed"}:
            try:
                with self._limit(self._limits.test):  # an error's text is code of the answer too
                    update |= self._failed(call.excinfo.value, "failed" if call.when == "call" else "error")
            except OverTime:
                update |= {"outcome": "timeout", "error_class": "OverTime", "message": self.over_time}
        elif call.when == "call":
            update["outcome"] = "passed"
        self.results[_name(item)] = so_far.model_copy(update=update)
        return pytest.TestReport(
            nodeid=item.nodeid,
            location=item.location,
            keywords={},
            outcome="failed" if call.excinfo else "passed",
            longrepr=None,
            when=call.when,  # type: ignore[arg-type]  # never "collect": a test is not collected here
        )

    def pytest_exception_interact(self, node: object, call: pytest.CallInfo[Any]) -> None:
        """Keep why the test module could not be imported."""
        if isinstance(node, pytest.Collector) and call.excinfo is not None:
            self._keep_trouble(call.excinfo.value.__cause__ or call.excinfo.value)

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> bool:
        """Keep what stopped pytest itself, and let it print nothing."""
        self._keep_trouble(excinfo.value)
        return True

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Keep that the user, or an answer with `pytest.exit`, stopped the run."""
        if isinstance(excinfo.value, pytest.Session.Interrupted):
            return  # the session's own way to end early
        if isinstance(excinfo.value, KeyboardInterrupt):
            self.interrupted = True
        else:
            self._keep_trouble(excinfo.value)

    @contextmanager
    def _limit(self, seconds: float | None = None) -> Iterator[None]:
        left = min(self._limits.test, self._end - time.monotonic())
        try:
            with self._alarm.limit(seconds or left):
                yield
        except OverTime:
            self.over_time = self._too_long()
            raise

    def _too_long(self) -> str:
        if time.monotonic() > self._end:
            return f"stopped: the check is not done after {self._limits.check:g} s"
        return f"stopped: still running after {self._limits.test:g} s"

    def _failed(self, error: BaseException, outcome: Outcome) -> dict[str, Any]:
        if isinstance(error, pytest.skip.Exception):
            return {"message": str(error)}
        failure = describe(
            error,
            self._module,
            comparison=self._comparison,
            substitution=self._substitution,
            scratch=self._scratch,
        )
        if isinstance(error, OverTime):
            # Which line it was in is another one every time.
            failure, outcome = Failure(self.over_time, where=failure.where), "timeout"
        self._keep_unfinished(error)
        return {"outcome": outcome, "error_class": type(error).__name__, **asdict(failure)}

    def _keep_unfinished(self, error: BaseException) -> None:
        # A generator raises while the test iterates, long after the call that made it came back.
        answered = self._substitution
        if answered and isinstance(error, NotImplementedError) and raised_by(answered.replacement, error):
            answered.unfinished = True

    def _keep_trouble(self, error: BaseException) -> None:
        self._keep_unfinished(error)
        self.trouble = self.trouble or shorten(f"{type(error).__name__}: {error}")
        answered = self._substitution
        self.trouble_in_answer = answered is not None and line_in(answered.replacement, error) > 0


def title_of(name: str) -> str:
    """The sentence that a test's name is: `test_gaps_are_rejected` says "gaps are rejected"."""
    return name.rpartition("::")[2].removeprefix("test_").replace("_", " ")


def _name(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[2]
