"""Answers that do not come back by themselves, tried one after the other in a process of their own.

Prints a JSON object: for each answer the verdict, the outcome of its test and the seconds it took.
"""

# ruff: noqa: B012, E722, SIM105
from __future__ import annotations

import contextlib
import hashlib
import json
import signal
import sys
import time
from pathlib import Path
from types import ModuleType

from forge.course.checking.check import check
from forge.course.checking.limits import Limits

LIMIT = 0.15


def spin():
    while True:
        pass


def work():
    sum(range(50))


def plain_loop(n):
    spin()


def except_exception(n):
    while True:
        try:
            work()
        except Exception:
            pass


def bare_except(n):
    while True:
        try:
            work()
        except:
            pass


def bare_except_around_a_loop(n):
    while True:
        try:
            spin()
        except:
            continue


def nested_bare_excepts(n):
    while True:
        try:
            try:
                work()
            except:
                pass
            work()
        except BaseException:
            pass


def loop_in_the_handler(n):
    try:
        spin()
    except:
        while True:
            try:
                work()
            except:
                work()


def finally_goes_on(n):
    while True:
        try:
            work()
        finally:
            continue


def loop_in_finally(n):
    try:
        spin()
    finally:
        spin()


def suppressed(n):
    while True:
        with contextlib.suppress(BaseException):
            work()


def helper_that_catches(n):
    def step():
        try:
            spin()
        except:
            pass

    while True:
        step()


def generator_that_catches(n):
    def numbers():
        while True:
            try:
                work()
                yield 1
            except:
                pass

    for _ in numbers():
        pass


def retry_without_end(n):
    try:
        work()
        return retry_without_end(n + 1)
    except:
        return retry_without_end(n + 1)


def retry_through_forge(n):
    try:
        spin()
    except:
        return sys.modules["numbers_under_test"].successor(n + 1)


def sleeps(n):
    time.sleep(60)


def sleeps_and_catches(n):
    while True:
        try:
            time.sleep(60)
        except:
            pass


def caught_and_returned(n):
    try:
        spin()
    except:
        return n + 1


def raises_something_else(n):
    try:
        spin()
    except BaseException:
        raise ValueError(n) from None


def call_into_c(n):
    until = time.monotonic() + LIMIT
    while time.monotonic() < until:
        hashlib.pbkdf2_hmac("sha256", b"x", b"y", 400_000)
    return n + 1


def prints(n):
    while True:
        print("again " * 100)


ANSWERS = [
    plain_loop,
    except_exception,
    bare_except,
    bare_except_around_a_loop,
    nested_bare_excepts,
    loop_in_the_handler,
    finally_goes_on,
    loop_in_finally,
    suppressed,
    helper_that_catches,
    generator_that_catches,
    retry_without_end,
    retry_through_forge,
    sleeps,
    sleeps_and_catches,
    caught_and_returned,
    raises_something_else,
    call_into_c,
    prints,
]


def main(folder):
    numbers = ModuleType("numbers_under_test")
    exec("def successor(n): return n + 1", numbers.__dict__)
    sys.modules[numbers.__name__] = numbers
    module = Path(folder) / "test_numbers.py"
    module.write_text(
        "from numbers_under_test import successor\n\n\n"
        "def test_one_comes_after_zero():\n    assert successor(0) == 1\n",
        encoding="utf-8",
    )

    def judge(answer):
        began = time.monotonic()
        report = check(
            "numbers_under_test:successor",
            answer,
            ["test_one_comes_after_zero"],
            module=module,
            limits=Limits(test=LIMIT, check=5),
        )
        (result,) = report.results
        return {
            "verdict": report.verdict,
            "outcome": result.outcome,
            "message": result.message,
            "seconds": time.monotonic() - began,
        }

    seen = {answer.__name__: judge(answer) for answer in ANSWERS}
    seen["afterwards"] = judge(lambda n: n + 1)
    seen["handler"] = str(signal.getsignal(signal.SIGALRM))
    seen["trace"] = str(sys.gettrace())
    print(json.dumps(seen))


if __name__ == "__main__":
    main(sys.argv[1])
