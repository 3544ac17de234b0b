from __future__ import annotations

import contextlib
import io
import json
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from forge.course.checking import limits
from forge.course.checking.check import time_limited
from forge.course.checking.limits import Alarm, Limits, OverTime
from forge.errors import InvalidValue

ENDLESS = Path(__file__).with_name("endless.py")
SHORT = Limits(test=0.1)

needs_a_timer = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="this system has no interval timer"
)


def spin():
    while True:
        pass


def run(*command, timeout=60):
    return subprocess.run(
        [sys.executable, *map(str, command)], capture_output=True, text=True, timeout=timeout, check=False
    )


@pytest.fixture(scope="module")
def endless(tmp_path_factory):
    done = run(ENDLESS, tmp_path_factory.mktemp("endless"))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def answers():
    return [
        line.strip().rstrip(",")
        for line in ENDLESS.read_text(encoding="utf-8")
        .partition("ANSWERS = [")[2]
        .partition("]")[0]
        .splitlines()
        if line.strip()
    ]


@needs_a_timer
@pytest.mark.parametrize("answer", answers())
def test_an_endless_answer_ends_and_is_no_pass(endless, answer):
    seen = endless[answer]
    assert seen["verdict"] == "failed"
    assert seen["outcome"] == "timeout"
    assert seen["message"] == "stopped: still running after 0.15 s"


@needs_a_timer
def test_after_endless_answers_the_process_is_as_before(endless):
    assert endless["afterwards"]["verdict"] == "passed"
    assert endless["handler"] == str(signal.SIG_DFL)
    assert endless["trace"] == "None"


def test_what_is_done_in_time_is_returned():
    assert time_limited(lambda: "done") == "done"


@needs_a_timer
def test_what_is_not_done_in_time_is_over_time():
    with pytest.raises(OverTime, match="the time limit is over"):
        time_limited(spin, limits=SHORT)


@needs_a_timer
def test_what_hides_that_it_was_interrupted_is_over_time():
    def hides():
        try:
            spin()
        except BaseException:
            return "done"

    with pytest.raises(OverTime):
        time_limited(hides, limits=SHORT)


def test_an_error_in_time_is_passed_on():
    with pytest.raises(KeyError):
        time_limited(lambda: {}["missing"])


def test_an_interrupt_by_the_user_stays_one():
    def interrupted():
        signal.raise_signal(signal.SIGINT)
        spin()

    with pytest.raises(KeyboardInterrupt):
        time_limited(interrupted, limits=Limits(test=5))


@needs_a_timer
def test_the_timer_and_the_handler_of_others_are_put_back():
    rung = threading.Event()
    before = signal.signal(signal.SIGALRM, lambda *_: rung.set())
    try:
        signal.setitimer(signal.ITIMER_REAL, 30)
        with pytest.raises(OverTime):
            time_limited(spin, limits=SHORT)
        left, _ = signal.getitimer(signal.ITIMER_REAL)
        assert 0 < left < 30
        signal.raise_signal(signal.SIGALRM)
        assert rung.is_set()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@needs_a_timer
def test_the_trace_function_of_others_is_put_back():
    def stubborn():
        while True:
            with contextlib.suppress(BaseException):
                spin()

    def trace(_frame, _event, _value):
        return None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        with pytest.raises(OverTime):
            time_limited(stubborn, limits=SHORT)
        assert sys.gettrace() is trace
    finally:
        sys.settrace(before)


def test_where_nothing_can_interrupt_the_reader_is_told_how_to_get_the_kernel_back(monkeypatch):
    monkeypatch.setattr(limits, "_PATIENCE", 0.0)
    told = threading.Event()
    texts, outcomes = [], []

    def notify(text):
        texts.append(text)
        told.set()

    def elsewhere():
        try:
            time_limited(lambda: told.wait(30), limits=SHORT, notify=notify)
        except OverTime as error:
            outcomes.append(error)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert texts == [limits.STUCK]
    assert "Kernel → Restart Kernel" in texts[0]
    assert len(outcomes) == 1, "what came back late must be over time"


def test_the_reader_is_told_on_the_stream_that_is_not_captured(monkeypatch):
    class Stream(io.StringIO):
        def flush(self):
            told.set()

    told, stream = threading.Event(), Stream()
    monkeypatch.setattr(limits, "_PATIENCE", 0.0)
    monkeypatch.setattr(sys, "stderr", stream)

    def elsewhere():
        with pytest.raises(OverTime):
            time_limited(lambda: [print("captured", file=sys.stderr), told.wait(30)], limits=SHORT)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert stream.getvalue().strip() == limits.STUCK


def test_nobody_is_told_anything_when_all_is_in_time():
    texts = []
    with Alarm(texts.append) as alarm, alarm.limit(5):
        pass
    assert texts == []
    assert not any(thread.name == "forge-watchdog" for thread in threading.enumerate())


def test_the_last_resort_ends_a_process_that_nothing_else_can_end():
    code = (
        "import itertools\n"
        "from forge.course.checking.check import time_limited\n"
        "from forge.course.checking.limits import Limits\n"
        "time_limited(lambda: sum(itertools.repeat(0)), limits=Limits(test=0.1, kill=0.5))\n"
    )
    done = run("-c", code, timeout=30)
    assert done.returncode == 1
    assert "Timeout" in done.stderr


@pytest.mark.parametrize(
    "wrong", [{"test": 0}, {"check": -1.0}, {"output": -1}, {"test": "5"}, {"kill": 0.0}]
)
def test_a_limit_without_sense_is_refused(wrong):
    with pytest.raises(InvalidValue):
        Limits(**wrong)
