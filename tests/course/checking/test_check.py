from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import tempfile
import textwrap
import threading
import time
import warnings
from pathlib import Path
from types import ModuleType

import pytest

from forge.course.checking import surroundings
from forge.course.checking.check import check, run_tests
from forge.course.checking.limits import Limits
from forge.course.checking.results import Report
from forge.course.checking.substitute import DELEGATED, substitute
from forge.errors import ContractInvalid, SubstitutionRefused

TARGET = "shop:total"

SHOP = """
def total(prices, rebate=0):
    return sum(prices) - rebate

def receipt(prices):
    return f"total {total(prices)}"

def each(prices):
    yield from prices
"""

CONTRACT = """
import pytest
from shop import each, receipt, total

def test_prices_are_added():
    assert total([1, 2]) == 3, "two prices must be added"

def test_a_receipt_names_the_total():
    assert receipt([4]) == "total 4"

def test_nothing_costs_nothing():
    assert total([]) == 0

@pytest.mark.parametrize("price", [1, 2])
def test_one_price(price):
    assert total([price]) == price

def test_text_is_refused():
    with pytest.raises(RuntimeError):
        total("12")

def test_each_price_comes_once():
    assert list(each([1, 2])) == [1, 2]

def test_that_asks_nobody():
    assert 1 + 1 == 2
"""


@pytest.fixture(autouse=True)
def shop(monkeypatch):
    module = ModuleType("shop")
    exec(SHOP, module.__dict__)
    monkeypatch.setitem(sys.modules, "shop", module)
    return module


@pytest.fixture
def contract(tmp_path):
    def write(text=CONTRACT, name="test_shop.py"):
        path = tmp_path / name
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    return write


def right(prices, rebate=0):
    count = 0
    for price in prices:
        count += price
    return count - rebate


def too_much(prices, rebate=0):
    return sum(prices) + 1


def verdict(report):
    return report.verdict, report.reason


def test_a_right_answer_passes_when_every_test_was_seen_to_pass(contract):
    tests = ["test_prices_are_added", "test_a_receipt_names_the_total"]
    report = check(TARGET, right, tests, module=contract())
    assert verdict(report) == ("passed", "")
    assert [(r.name, r.outcome) for r in report.results] == [(name, "passed") for name in tests]
    assert report.results[0].title == "prices are added"
    assert report.calls == 2
    assert report.target == TARGET


def test_a_wrong_answer_is_told_what_was_expected_and_found(contract):
    report = check(
        TARGET, too_much, ["test_prices_are_added", "test_nothing_costs_nothing"], module=contract()
    )
    assert report.verdict == "failed"
    first, second = report.results
    assert (first.message, first.expected, first.found) == ("two prices must be added", "3", "4")
    assert (first.where, first.error_class) == ("test_shop.py:6", "AssertionError")
    assert (second.message, second.expected, second.found) == ("total([]) is wrong", "0", "1")


def test_one_failed_test_is_enough_to_fail(contract):
    def wrong_for_nothing(prices):
        return sum(prices) if prices else None

    tests = ["test_prices_are_added", "test_nothing_costs_nothing"]
    report = check(TARGET, wrong_for_nothing, tests, module=contract())
    assert report.verdict == "failed"
    assert [r.outcome for r in report.results] == ["passed", "failed"]


def test_the_report_survives_as_json(contract):
    report = check(TARGET, too_much, ["test_prices_are_added"], module=contract())
    assert Report.model_validate_json(report.model_dump_json()) == report


def test_a_test_with_parameters_gives_one_result_each(contract):
    report = check(TARGET, right, ["test_one_price"], module=contract())
    assert [r.name for r in report.results] == ["test_one_price[1]", "test_one_price[2]"]
    assert check(TARGET, right, ["test_one_price[2]"], module=contract()).calls == 1


def test_an_unfinished_answer_was_not_attempted_even_where_a_test_takes_its_error_for_a_refusal(contract):
    def stub(prices):
        raise NotImplementedError("total")

    for name in ("test_prices_are_added", "test_text_is_refused"):
        report = check(TARGET, stub, [name], module=contract())
        assert verdict(report) == ("not attempted", "it raises NotImplementedError")


def test_an_unfinished_generator_was_not_attempted(contract):
    def stub(prices):
        yield 1
        raise NotImplementedError("each")

    report = check("shop:each", stub, ["test_each_price_comes_once"], module=contract())
    assert report.verdict == "not attempted"


def test_an_answer_that_no_test_called_cannot_be_judged(contract):
    report = check(TARGET, right, ["test_that_asks_nobody"], module=contract())
    assert verdict(report) == ("could not judge", "no test called total")


def test_a_test_that_is_skipped_cannot_judge(contract):
    module = contract(
        """
        import pytest
        from shop import total

        def test_x():
            assert total([1]) == 1

        @pytest.mark.skip("no locks here")
        def test_y():
            assert total([2]) == 2
        """
    )
    report = check(TARGET, right, ["test_x", "test_y"], module=module)
    assert verdict(report) == ("could not judge", "test_y did not run: no locks here")


def test_tests_that_cannot_run_cannot_judge(contract):
    module = contract("import nothing_of_this_name\n\ndef test_x():\n    pass\n")
    report = check(TARGET, right, ["test_x"], module=module)
    assert report.verdict == "could not judge"
    assert "ModuleNotFoundError: No module named 'nothing_of_this_name'" in report.reason
    assert [r.outcome for r in report.results] == ["not run"]


def test_an_answer_that_breaks_the_import_of_the_tests_fails(contract):
    def breaks(prices):
        return {}["price"]

    module = contract("from shop import total\nX = total([])\n\ndef test_x():\n    pass\n")
    assert verdict(check(TARGET, breaks, ["test_x"], module=module)) == ("failed", "KeyError: 'price'")


def test_a_test_that_does_not_exist_is_named(contract):
    with pytest.raises(ContractInvalid, match=r"no such test in test_shop.py: test_typo was to be run"):
        check(TARGET, right, ["test_prices_are_added", "test_typo"], module=contract())


def test_a_target_that_cannot_be_replaced_is_no_verdict(contract):
    with pytest.raises(SubstitutionRefused):
        check("shop:nowhere", right, ["test_prices_are_added"], module=contract())
    with substitute(TARGET, right), pytest.raises(SubstitutionRefused, match="one function can be replaced"):
        check("shop:each", right, ["test_each_price_comes_once"], module=contract())


def test_the_function_itself_is_no_answer(contract, shop):
    report = check(TARGET, shop.total, ["test_prices_are_added"], module=contract())
    assert verdict(report) == ("failed", "the answer is forge's own total")
    assert [r.outcome for r in report.results] == ["not run"]


def test_an_answer_that_asks_the_function_it_stands_in_for_fails_even_when_the_tests_pass(contract, shop):
    def asks(prices):
        return shop.total(prices)

    def asks_and_hides(prices):
        try:
            return shop.total(prices)
        except Exception:
            return sum(prices)

    report = check(TARGET, asks, ["test_prices_are_added"], module=contract())
    assert (report.verdict, report.results[0].message) == ("failed", DELEGATED)
    report = check(TARGET, asks_and_hides, ["test_prices_are_added"], module=contract())
    assert verdict(report) == ("failed", DELEGATED)


@pytest.mark.parametrize("ask", [breakpoint, lambda: input("why?"), lambda: sys.stdin.read(1) or input()])
def test_an_answer_that_asks_somebody_fails_and_does_not_wait(contract, ask):
    def asks(prices):
        ask()
        return sum(prices)

    report = check(TARGET, asks, ["test_prices_are_added"], module=contract())
    assert report.results[0].message == "the answer raised EOFError: nobody can be asked during a check"


def test_an_answer_that_always_returns_none_is_asked_for_its_return(contract, shop):
    def forgets(prices):
        sum(prices)

    tests = ["test_prices_are_added", "test_nothing_costs_nothing"]
    shop.total.__annotations__["return"] = "int"
    report = check(TARGET, forgets, tests, module=contract())
    assert verdict(report) == ("failed", "the answer returned nothing: is a return missing?")
    shop.total.__annotations__["return"] = "int | None"
    assert verdict(check(TARGET, forgets, tests, module=contract())) == ("failed", "")


def test_an_answer_that_leaves_the_program_fails(contract):
    def leaves(prices):
        sys.exit(0)

    report = check(TARGET, leaves, ["test_prices_are_added"], module=contract())
    assert report.verdict == "failed"
    assert report.results[0].message == "the answer ends the program: it calls sys.exit()"


@pytest.mark.parametrize("leave", [pytest.skip, pytest.xfail, pytest.exit, pytest.fail])
def test_an_answer_that_speaks_to_pytest_does_not_pass(contract, leave):
    def speaks(prices):
        leave("enough")

    report = check(TARGET, speaks, ["test_prices_are_added", "test_nothing_costs_nothing"], module=contract())
    assert report.verdict in {"failed", "could not judge"}
    assert not any(r.outcome == "passed" for r in report.results)


def test_the_interrupt_of_the_user_is_passed_on_and_the_function_put_back(contract, shop):
    def interrupted(prices):
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        check(TARGET, interrupted, ["test_prices_are_added"], module=contract())
    assert shop.total([1, 2]) == 3
    assert check(TARGET, right, ["test_prices_are_added"], module=contract()).verdict == "passed"


def test_a_check_that_runs_out_of_time_stops_and_fails(contract):
    def slow(prices):
        time.sleep(30)

    tests = ["test_prices_are_added", "test_nothing_costs_nothing"]
    report = check(TARGET, slow, tests, module=contract(), limits=Limits(test=5, check=1.5))
    assert report.verdict == "failed"
    assert [r.outcome for r in report.results] == ["timeout", "not run"]
    assert report.results[0].message == "stopped: the check is not done after 1.5 s"


def test_a_machine_that_is_slow_to_find_the_tests_fails_no_right_answer(contract, monkeypatch):
    collect = pytest.Session.collect

    def slowly(session):
        time.sleep(0.4)
        yield from collect(session)

    module = contract()
    monkeypatch.setattr(pytest.Session, "collect", slowly)
    report = check(TARGET, right, ["test_prices_are_added"], module=module, limits=Limits(test=0.3))
    assert verdict(report) == ("passed", "")


def test_an_error_whose_text_never_ends_is_over_time(contract):
    class Endless(Exception):
        def __str__(self):
            while True:
                pass

    def raises(prices):
        raise Endless

    limits = Limits(test=0.2, check=5)
    report = check(TARGET, raises, ["test_prices_are_added"], module=contract(), limits=limits)
    assert report.verdict == "failed"
    (result,) = report.results
    assert (result.outcome, result.message) == ("timeout", "stopped: still running after 0.2 s")


def test_an_edited_test_file_is_read_anew(contract):
    test = "from shop import total\n\ndef test_x():\n    assert total([1]) == {}\n"
    assert check(TARGET, right, ["test_x"], module=contract(test.format(1))).verdict == "passed"
    assert check(TARGET, right, ["test_x"], module=contract(test.format(2))).verdict == "failed"


def test_what_an_answer_prints_is_kept_in_the_report(contract, capsys):
    def prints(prices):
        print("adding", prices)
        print("careful", file=sys.stderr)
        return sum(prices)

    report = check(TARGET, prints, ["test_prices_are_added"], module=contract())
    assert report.output == "adding [1, 2]\ncareful\n"
    assert capsys.readouterr() == ("", "")


def test_what_an_answer_prints_is_cut_where_the_limit_is(contract):
    def prints(prices):
        print("é" * 100_000)
        sys.stdout.buffer.write(b"bytes")
        return sum(prices)

    limits = Limits(output=1000)
    report = check(TARGET, prints, ["test_prices_are_added"], module=contract(), limits=limits)
    assert report.verdict == "passed"
    assert report.output.endswith("é\n… (the rest was cut)")
    assert len(report.output.encode()) in {999, 1000}


def test_the_tests_run_on_forge_as_it_is_too(contract):
    report = run_tests(["test_prices_are_added", "test_that_asks_nobody"], module=contract())
    assert verdict(report) == ("passed", "")
    assert report.calls == 0
    module = contract("def test_x():\n    assert [1, 2] == [1, 3]\n")
    assert run_tests(["test_x"], module=module).verdict == "failed"


def test_the_process_is_afterwards_as_it_was(contract, monkeypatch, tmp_path):
    def careless(prices):
        os.environ["SHOP"] = "open"
        os.environ.pop("KEPT", None)
        os.chdir("/")
        sys.path.append("/nowhere")
        warnings.simplefilter("error")
        logging.getLogger().addHandler(logging.NullHandler())
        logging.getLogger().setLevel(1)
        sys.settrace(lambda *_: None)
        sys.setprofile(lambda *_: None)
        sys.setrecursionlimit(sys.getrecursionlimit() + 50)
        gc.disable()
        tempfile.tempdir = "/nowhere"
        return sum(prices) + 1

    def state():
        return {
            "environment": dict(os.environ),
            "folder": Path.cwd(),
            "path": list(sys.path),
            "finders": list(sys.meta_path),
            "modules": {n for n, m in sys.modules.items() if "test_shop" in str(getattr(m, "__file__", ""))},
            "filters": list(warnings.filters),
            "handlers": list(logging.getLogger().handlers),
            "level": logging.getLogger().level,
            "signal": (signal.getsignal(signal.SIGALRM), signal.getsignal(signal.SIGINT)),
            "streams": (sys.stdout, sys.stderr),
            "bytecode": (sys.pycache_prefix, sys.dont_write_bytecode),
            "last": getattr(sys, "last_value", None),
            "trace": (sys.gettrace(), sys.getprofile()),
            "recursion": sys.getrecursionlimit(),
            "garbage": gc.isenabled(),
            "stdin": sys.stdin,
            "threads": [thread.name for thread in threading.enumerate()],
            "scratch": list(Path(tempfile.gettempdir()).glob("forge-check-*")),
            "litter": sorted(path.name for path in tmp_path.rglob("*")),
        }

    module = contract()
    monkeypatch.setenv("KEPT", "yes")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    check(TARGET, right, ["test_prices_are_added"], module=module)
    before = state()
    report = check(TARGET, careless, ["test_prices_are_added"], module=module)
    assert report.results[0].found == "4"
    assert state() == before


def test_the_pytest_settings_of_the_learner_do_not_reach_a_check(contract, monkeypatch, tmp_path):
    monkeypatch.setenv("PYTEST_ADDOPTS", "-k nothing_at_all")
    monkeypatch.setenv("PYTEST_PLUGINS", "no_such_plugin")
    (tmp_path / "conftest.py").write_text("raise RuntimeError('conftest')\n", encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n", encoding="utf-8")
    assert check(TARGET, right, ["test_prices_are_added"], module=contract()).verdict == "passed"


def test_the_fixtures_of_pytest_work_in_a_check(contract):
    module = contract(
        """
        import logging
        import warnings
        from shop import total

        def test_fixtures(tmp_path, monkeypatch, capsys, caplog, recwarn):
            (tmp_path / "prices").write_text("1 2")
            monkeypatch.setenv("SHOP", "open")
            logging.getLogger("shop").warning("opened")
            warnings.warn("closing soon")
            print(total([1, 2]))
            assert capsys.readouterr().out == "3\\n"
            assert caplog.messages == ["opened"]
            assert len(recwarn) == 1
        """
    )
    report = check(TARGET, right, ["test_fixtures"], module=module)
    assert (report.verdict, report.results[0].message) == ("passed", "")


def test_a_test_module_that_is_already_imported_is_neither_used_nor_lost(contract, monkeypatch):
    module = contract()
    stale = ModuleType("test_shop")
    stale.__file__ = str(module)
    monkeypatch.setitem(sys.modules, "test_shop", stale)
    assert check(TARGET, right, ["test_prices_are_added"], module=module).verdict == "passed"
    assert sys.modules["test_shop"] is stale


def test_the_compiled_tests_are_kept_outside_of_the_course(contract, tmp_path):
    check(TARGET, right, ["test_prices_are_added"], module=contract())
    assert not list(tmp_path.rglob("*.pyc"))
    assert list(surroundings._bytecode().rglob("test_shop*.pyc"))


def test_two_reports_differ_only_in_their_seconds(contract):
    class Price:
        pass

    def odd(prices):
        return Price()

    module = contract(
        """
        from shop import total

        def test_an_object(tmp_path):
            assert total([1]) == str(tmp_path / "prices"), f"wrote {tmp_path / 'prices'}"
        """
    )
    first, second = (check(TARGET, odd, ["test_an_object"], module=module) for _ in range(2))
    assert first.results[0].message == "wrote <tmp>/prices"
    assert first.results[0].expected == "'<tmp>/prices'"
    assert "0x…" in first.results[0].found
    timeless = [
        [result.model_copy(update={"seconds": 0.0}) for result in report.results]
        for report in (first, second)
    ]
    assert timeless[0] == timeless[1]
