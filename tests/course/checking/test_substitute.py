from __future__ import annotations

import codecs
import contextlib
import functools
import inspect
import sys
import threading
from typing import Annotated

import pytest
from pydantic import AfterValidator, BaseModel, field_validator

from forge.course.checking.substitute import DELEGATED, idle, resolve, substitute
from forge.course.checking.targets import is_target
from forge.errors import SubstitutionRefused
from forge.log import ChainLog

_AWHILE = 0.1  # seconds: long enough for a thread that does not wait as it should to be done


def price(amount, *, rate=2):
    """The plain target of most tests."""
    return amount * rate


def with_default(amount, compute=price):
    return compute(amount)


def make_closure(compute):
    return lambda amount: compute(amount)


in_closure = make_closure(price)
TABLE = {"price": price}
in_partial = functools.partial(price, 5)


class Priced(BaseModel):
    amount: Annotated[int, AfterValidator(price)]


def not_negative(amount):
    return max(amount, 0)


class Checked(BaseModel):
    amount: int

    @field_validator("amount")
    @classmethod
    def positive(cls, amount):
        return max(amount, 0)


class Shop:
    name = "corner"

    def greet(self, guest):
        return f"{self.name}: {guest}"

    @staticmethod
    def rate(kind):
        return len(kind)

    @classmethod
    def named(cls, suffix):
        return cls.name + suffix

    @property
    def sign(self):
        return self.name.upper()

    @functools.cached_property
    def window(self):
        return self.name.title()


def count_up(limit):
    yield from range(limit)


async def fetch(key):
    return key


def logged(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)

    return wrapper


@logged
def decorated(amount):
    return amount


def tripled(amount, *, rate=3):
    return amount * rate


def here(name):
    return f"{__name__}:{name}"


HOLDERS = {
    "a plain function": lambda: price(5),
    "a default argument": lambda: with_default(5),
    "a closure": lambda: in_closure(5),
    "a dispatch table": lambda: TABLE["price"](5),
    "a partial": lambda: in_partial(),
    "a pydantic validator": lambda: Priced(amount=5).amount,
}


@pytest.mark.parametrize("holder", HOLDERS)
def test_a_replacement_answers_whoever_holds_the_function(holder):
    call = HOLDERS[holder]
    assert call() == 10
    with substitute(here("price"), tripled) as substitution:
        assert call() == 15
        assert substitution.calls == 1
    assert call() == 10


MEMBERS = {
    "a method": (
        "Shop.greet",
        lambda self, guest: f"{self.name}, {guest}",
        lambda: Shop().greet("Ada"),
        "corner, Ada",
    ),
    "a static method": ("Shop.rate", lambda kind: kind * 2, lambda: Shop.rate("ab"), "abab"),
    "a class method": (
        "Shop.named",
        lambda cls, suffix: suffix + cls.name,
        lambda: Shop.named("!"),
        "!corner",
    ),
    "a property": ("Shop.sign", lambda self: self.name * 2, lambda: Shop().sign, "cornercorner"),
    "a cached property": ("Shop.window", lambda self: self.name * 2, lambda: Shop().window, "cornercorner"),
    "a decorated validator": (
        "Checked.positive",
        lambda cls, amount: 7,
        lambda: Checked(amount=-1).amount,
        7,
    ),
}


@pytest.mark.parametrize("member", MEMBERS)
def test_a_replacement_stands_in_for_a_member_of_a_class(member):
    name, replacement, call, expected = MEMBERS[member]
    before = call()
    with substitute(here(name), replacement) as substitution:
        assert call() == expected
        assert substitution.calls == 1
    assert call() == before != expected


def test_a_member_may_be_replaced_by_a_member_of_the_same_kind():
    class Answer:
        @staticmethod
        def rate(kind):
            return f"rate of {kind}"

    with substitute(here("Shop.rate"), inspect.getattr_static(Answer, "rate")):
        assert Shop.rate("ab") == "rate of ab"


def test_a_generator_stays_a_generator():
    def count_down(limit):
        yield from reversed(range(limit))

    with substitute(here("count_up"), count_down):
        assert inspect.isgeneratorfunction(count_up)
        assert next(count_up(3)) == 2
        assert list(count_up(3)) == [2, 1, 0]
    assert list(count_up(3)) == [0, 1, 2]


def awaited(coroutine):
    """What a coroutine that waits for nothing returns; a browser test may hold this thread's event loop."""
    with pytest.raises(StopIteration) as ended:
        coroutine.send(None)
    return ended.value.value


def test_a_coroutine_stays_a_coroutine():
    async def shout(key):
        return key.upper()

    with substitute(here("fetch"), shout):
        assert inspect.iscoroutinefunction(fetch)
        assert awaited(fetch("a")) == "A"
    assert awaited(fetch("a")) == "a"


def test_the_name_and_the_signature_stay():
    before = inspect.signature(price)
    with substitute(here("price"), tripled):
        assert price.__name__ == "price"
        assert price.__code__.co_qualname == "price"
        assert inspect.signature(price) == before
    assert inspect.signature(price) == before
    assert "__signature__" not in vars(price)


def test_the_defaults_are_those_of_the_replacement_and_then_those_of_the_target():
    with substitute(here("price"), tripled):
        assert price(5) == 15
        assert price(5, rate=4) == 20
    assert price(5) == 10
    assert price(5, rate=4) == 20


def test_a_target_that_raised_is_put_back():
    def fails(amount):
        raise KeyError(amount)

    with pytest.raises(KeyError), substitute(here("price"), fails):
        price(5)
    assert price(5) == 10


def test_a_replacement_calls_itself_by_the_name_of_its_target():
    def halved(amount):
        return 1 if amount < 2 else 1 + price(amount // 2)

    with substitute(here("price"), halved) as substitution:
        assert price(16) == 5
    assert substitution.calls == 5
    assert not substitution.delegated


def test_a_retry_with_the_same_arguments_is_not_delegation():
    attempts = []

    def second_time_lucky(shop, guest):
        attempts.append(guest)
        return shop.greet(guest) if len(attempts) < 3 else "welcome"

    with substitute(here("Shop.greet"), second_time_lucky) as substitution:
        assert Shop().greet("Ada") == "welcome"
    assert not substitution.delegated


def test_a_replacement_that_asks_its_target_is_seen_even_when_it_hides_the_refusal():
    def delegating(amount):
        return price(amount)

    def hiding(amount):
        try:
            return price(amount)
        except Exception:
            return amount * 2

    with substitute(here("price"), delegating) as substitution:
        with pytest.raises(SubstitutionRefused, match=DELEGATED):
            price(5)
        assert substitution.delegated
    with substitute(here("price"), hiding) as substitution:
        price(5)
        assert substitution.delegated


def test_what_raises_not_implemented_is_told_apart():
    def stub(amount):
        raise NotImplementedError("price")

    def calls_something_unfinished(amount):
        return codecs.Codec().encode(amount)

    with substitute(here("price"), stub) as substitution, pytest.raises(NotImplementedError):
        price(5)
    assert substitution.unfinished
    with (
        substitute(here("price"), calls_something_unfinished) as substitution,
        pytest.raises(NotImplementedError),
    ):
        price(5)
    assert not substitution.unfinished


def test_a_target_with_free_variables_is_refused_by_name():
    with (
        pytest.raises(SubstitutionRefused, match=r"free variables .*:decorated uses function from around it"),
        substitute(here("decorated"), tripled),
    ):
        pass
    assert decorated(5) == 5


@pytest.mark.parametrize(
    "target",
    [
        "forge.nowhere:price",
        here("nowhere"),
        here("Shop.nowhere"),
        here("TABLE"),
        "builtins:len",
        "price",
        "",
    ],
)
def test_a_target_that_is_no_function_is_refused(target):
    with pytest.raises(SubstitutionRefused, match=r"^(no such function|only a plain Python function)"):
        resolve(target)


def test_a_replacement_must_be_callable():
    with pytest.raises(SubstitutionRefused, match="must be a function"), substitute(here("price"), 5):
        pass


@pytest.mark.parametrize(
    "itself",
    [
        price,
        functools.partial(price, rate=3),
        logged(price),
        type(price)(price.__code__, {}),
        functools.partial(functools.partial(price)),
    ],
    ids=["function", "partial", "wrapped", "copy", "partial of a partial"],
)
def test_the_target_cannot_stand_in_for_itself(itself):
    assert is_target(here("price"), itself)
    with pytest.raises(SubstitutionRefused, match="stand in for itself"), substitute(here("price"), itself):
        pass
    assert price(5) == 10


def test_a_bound_method_of_the_target_is_the_target():
    assert is_target(here("Shop.greet"), Shop().greet)
    assert not is_target(here("Shop.greet"), Shop.named)


def test_a_second_substitution_is_refused_in_this_thread_and_in_another():
    refused = []

    def from_a_callback():
        try:
            with substitute(here("with_default"), tripled):
                pass
        except SubstitutionRefused as error:
            refused.append(str(error))

    with substitute(here("price"), tripled):
        from_a_callback()
        callback = threading.Thread(target=from_a_callback)
        callback.start()
        callback.join()
    assert len(refused) == 2
    assert all(
        f"{here('with_default')} was to be replaced while {here('price')} is" in text for text in refused
    )
    with substitute(here("with_default"), tripled):
        assert with_default(5) == 15


def test_progress_waits_until_the_substitution_ends():
    order = []
    waiting = threading.Event()

    def callback():
        waiting.set()
        with idle():
            order.append(("progress", price(5)))

    thread = threading.Thread(target=callback)
    with substitute(here("price"), tripled):
        thread.start()
        waiting.wait()
        thread.join(_AWHILE)
        order.append(("check", price(5)))
    thread.join()
    assert order == [("check", 15), ("progress", 10)]


def test_progress_cannot_be_written_by_the_answer():
    with substitute(here("price"), tripled):
        with pytest.raises(SubstitutionRefused, match="progress cannot be written now"), idle():
            pass
        assert price(5) == 15
    with idle(), idle():
        assert price(5) == 10


def test_nothing_is_replaced_while_progress_is_written():
    started, order = threading.Event(), []

    def check():
        started.set()
        with substitute(here("price"), tripled):
            order.append("check")

    thread = threading.Thread(target=check)
    with idle():
        with pytest.raises(SubstitutionRefused, match="while progress is being written"):
            contextlib.ExitStack().enter_context(substitute(here("price"), tripled))
        thread.start()
        started.wait()
        thread.join(_AWHILE)
        order.append("progress")
    thread.join()
    assert order == ["progress", "check"]


def test_a_broken_append_does_not_harm_what_a_callback_writes(tmp_path):
    log = ChainLog(tmp_path / "progress.jsonl")
    log.append({"kind": "stage opened"})
    waiting = threading.Event()

    def hint_opened():
        waiting.set()
        with idle():
            log.append({"kind": "hint opened"})

    def broken(self, event, *, expected=None):
        self.path.write_bytes(b"nonsense\n")

    callback = threading.Thread(target=hint_opened)
    with substitute("forge.log:ChainLog.append", broken) as substitution:
        callback.start()
        waiting.wait()
        callback.join(_AWHILE)
        ChainLog(tmp_path / "practice.jsonl").append({"kind": "practice"})
    callback.join()
    assert substitution.calls == 1
    assert [record.event["kind"] for record in ChainLog(log.path).read()] == ["stage opened", "hint opened"]


def test_a_call_from_another_thread_reaches_the_replacement():
    seen = []
    with substitute(here("price"), tripled) as substitution:
        thread = threading.Thread(target=lambda: seen.append(price(5)))
        thread.start()
        thread.join()
    assert seen == [15]
    assert substitution.calls == 1


def test_a_function_is_found_in_a_module_not_yet_imported(monkeypatch):
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    assert resolve("colorsys:rgb_to_hsv").__name__ == "rgb_to_hsv"
