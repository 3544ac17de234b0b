from __future__ import annotations

import builtins
import os
import signal
import sys
import textwrap
import threading
from types import FunctionType, ModuleType

import pytest

from forge.course.checking import substitute as substitute_module
from forge.course.checking.check import check, time_limited
from forge.course.checking.interrupts import uninterrupted
from forge.course.checking.substitute import idle, substitute
from forge.log import ChainLog

# What an interrupt must not cut short: each of these files sets something up and puts it back.
_FILES = ("substitute.py", "limits.py", "surroundings.py", "check.py", "contextlib.py")

# An interrupt comes in the frame that is traced, so the tracer must not look like a part of the tests.
_TRACER = """
import signal, sys

class Tracer:
    def __init__(self, files, at):
        self.files, self.at, self.seen = files, at, 0

    def __call__(self, frame, event, value):
        if not frame.f_code.co_filename.endswith(self.files):
            return None
        self.seen += 1
        if self.seen == self.at:
            signal.raise_signal(signal.SIGINT)
        return self
"""
_names = {"__name__": "threading"}
exec(_TRACER, _names)
Tracer = _names["Tracer"]

needs_signals = pytest.mark.skipif(os.name == "nt", reason="an interrupt is no signal here")


@pytest.fixture
def shop(monkeypatch):
    module = ModuleType("shop")
    exec("def total(prices): return sum(prices)", module.__dict__)
    monkeypatch.setitem(sys.modules, "shop", module)
    return module


@pytest.fixture
def contract(tmp_path):
    path = tmp_path / "test_shop.py"
    text = "from shop import total\n\ndef test_x():\n    assert total([1, 2]) == 3\n"
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return path


def interrupted_at(step, run):
    """Run under an interrupt at that step; how many steps there were, and whether it was noticed."""
    tracer = Tracer(_FILES, step)
    noticed = False
    sys.settrace(tracer)
    try:
        run()
    except KeyboardInterrupt:
        noticed = True
    finally:
        sys.settrace(None)
    return tracer.seen, noticed


def surroundings():
    return (
        signal.getsignal(signal.SIGINT),
        signal.getsignal(signal.SIGALRM),
        signal.getitimer(signal.ITIMER_REAL),
        sys.stdout,
        sys.stderr,
        builtins.input,
        dict(os.environ),
        substitute_module._active,
        [thread.name for thread in threading.enumerate()],
    )


def lock_is_free():
    free = []

    def take():
        free.append(substitute_module._lock.acquire(timeout=5))
        substitute_module._lock.release()

    thread = threading.Thread(target=take)
    thread.start()
    thread.join()
    return free == [True]


# As the course does it; a frame of the tests on the stack would let the interrupt through.
_COURSE = """
def judge(answer):
    with substitute("shop:total", answer):
        return time_limited(lambda: shop.total([1, 2]))
"""


@pytest.fixture
def judge(shop):
    names = {"__name__": "forge.course.tried", "substitute": substitute, "time_limited": time_limited}
    exec(_COURSE, {**names, "shop": shop}, names)
    return FunctionType(names["judge"].__code__, {**names, "shop": shop})


def interrupts_itself(prices):
    signal.raise_signal(signal.SIGINT)


@needs_signals
@pytest.mark.parametrize("answer", [sum, interrupts_itself], ids=["the first", "the second"])
def test_an_interrupt_at_any_step_leaves_nothing_behind(shop, judge, answer):
    original, before = shop.total.__code__, surroundings()
    steps, _ = interrupted_at(-1, lambda: judge(answer))
    assert steps > 100
    for step in range(1, steps + 1):
        _, noticed = interrupted_at(step, lambda: judge(answer))
        assert noticed, step
        assert shop.total.__code__ is original, step
        assert surroundings() == before, step
    assert lock_is_free()


@needs_signals
def test_an_interrupt_of_a_whole_check_leaves_nothing_behind(shop, contract):
    original, before = shop.total.__code__, surroundings()
    for step in range(1, 200, 40):
        _, noticed = interrupted_at(step, lambda: check("shop:total", sum, ["test_x"], module=contract))
        assert noticed, step
        assert shop.total.__code__ is original, step
        assert surroundings() == before, step


@needs_signals
def test_an_interrupt_while_progress_is_written_waits_until_it_is(tmp_path):
    log = ChainLog(tmp_path / "progress.jsonl")
    with pytest.raises(KeyboardInterrupt), idle():
        signal.raise_signal(signal.SIGINT)
        log.append({"kind": "written"})
    assert [record.event["kind"] for record in log.read()] == ["written"]
    assert lock_is_free()


def test_outside_of_the_main_thread_a_block_that_is_not_interrupted_runs():
    seen = []
    thread = threading.Thread(target=lambda: [seen.append("ran") for _ in [0] if enter_and_leave()])
    thread.start()
    thread.join()
    assert seen == ["ran"]


def enter_and_leave():
    with uninterrupted():
        return True
