"""Put another function in the place of a named function of forge, for a while.

An answer, a fault and a reference are the same thing: a replacement for one function, named like
`forge.state.models:apply_event` or `forge.memory:MemoryStore.query`. Binding the name anew would miss every
default argument, closure, dispatch table, `partial` and validator that already holds the function, so the
function object stays and its code changes.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any

from ...errors import SubstitutionRefused
from .interrupts import at_work, uninterrupted
from .targets import inner, is_target, raised_by, resolve

__all__ = ["DELEGATED", "Substitution", "idle", "resolve", "substitute"]

Function = Callable[..., Any]

DELEGATED = "the answer asks the function that it stands in for"
"""The first words of the refusal of a replacement that calls its target with the same arguments."""

_SAME_CALLS = 8
# A retry may call itself once or twice with the same arguments; delegation would do so for ever.

_lock = threading.RLock()
# Held while a function stands replaced, and by everyone for whom none may stand replaced (`idle`).
_active: Substitution | None = None
_idle_thread: int | None = None


class Substitution:
    """One replacement while it stands, and what was seen of it."""

    def __init__(self, target: str, function: FunctionType, replacement: Function) -> None:
        self.target = target
        self.function = function
        self.replacement = replacement
        self.calls = 0
        self.returned: object = None
        self.raised: BaseException | None = None
        """What the call that ended last returned or raised."""
        self.returned_nothing = True
        """Whether every call that ended returned None, or none did."""
        self.unfinished = False
        """Whether the replacement's own code raised `NotImplementedError`."""
        self.delegated = False
        self._running = threading.local()

    def forward(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call the replacement as the target was called."""
        self.calls += 1
        running: list[tuple[Any, ...]] = self._running.__dict__.setdefault("calls", [])
        call = (*map(id, args), *((name, id(value)) for name, value in sorted(kwargs.items())))
        if running.count(call) >= _SAME_CALLS:
            self.delegated = True
            raise SubstitutionRefused(
                DELEGATED,
                f"it calls {self.name} with the arguments that it was called with.",
                "Write here what the function does.",
                target=self.target,
            )
        running.append(call)
        self.returned = self.raised = None
        try:
            self.returned = self.replacement(*args, **kwargs)
            self.returned_nothing = self.returned_nothing and self.returned is None
        except BaseException as error:
            self.raised = error
            if isinstance(error, NotImplementedError) and raised_by(self.replacement, error):
                self.unfinished = True
            raise
        finally:
            running.pop()
        return self.returned

    @property
    def name(self) -> str:
        """The target's name without its module."""
        return self.target.partition(":")[2]


@contextmanager
def substitute(target: str, replacement: Function) -> Iterator[Substitution]:
    """Let `replacement` answer every call of `target`, by whoever holds it, until the block ends.

    There is one substitution at a time in a process: a second one, in any thread, is refused with
    `SubstitutionRefused`. So are a target that is no plain function, one with free variables (the code that
    is put in its place has none) and a replacement that is the target.
    """
    global _active
    function = resolve(target)
    _require_replaceable(target, function)
    answer = _require_other(target, function, replacement)
    _require_free(target)
    with uninterrupted(at_work), _lock:
        _require_free(target)
        substitution = Substitution(target, function, answer)
        saved = function.__code__, function.__defaults__, function.__kwdefaults__, dict(function.__dict__)
        signature = inspect.signature(function)
        try:
            _active = substitution
            function.__code__ = _forwarder(substitution, function.__code__)
            function.__defaults__ = function.__kwdefaults__ = None
            function.__dict__["__signature__"] = signature
            yield substitution
        finally:
            function.__dict__.pop("__signature__", None)
            function.__dict__.update(saved[3])
            function.__defaults__, function.__kwdefaults__ = saved[1], saved[2]
            function.__code__ = saved[0]
            _active = None


@contextmanager
def idle() -> Iterator[None]:
    """Wait until no function stands replaced, and keep it so while the block runs.

    Progress is written inside it: a widget's callback on another thread then never meets a broken `append`,
    and an interrupt waits, because it would leave the file locked.
    It may be entered again by the thread that is in it. The thread in which a function stands replaced
    would wait for itself and is refused with `SubstitutionRefused`.
    """
    global _idle_thread
    with _lock, uninterrupted():
        if _active is not None:
            raise SubstitutionRefused(
                "progress cannot be written now",
                f"{_active.target} stands replaced in this thread.",
                "Do this outside the answer.",
                target=_active.target,
            )
        before, _idle_thread = _idle_thread, threading.get_ident()
        try:
            yield
        finally:
            _idle_thread = before


def _require_replaceable(target: str, function: FunctionType) -> None:
    if function.__code__.co_freevars:
        names = ", ".join(function.__code__.co_freevars)
        raise SubstitutionRefused(
            "a function with free variables cannot be replaced",
            f"{target} uses {names} from around it, as a decorated function does.",
            "Name the plain function inside.",
            target=target,
        )


def _require_other(target: str, function: FunctionType, replacement: object) -> Function:
    answer: Function = inner(replacement)
    if not callable(answer):
        raise SubstitutionRefused(
            "a replacement must be a function", f"{target} was to become {replacement!r}.", target=target
        )
    if is_target(target, replacement):
        raise SubstitutionRefused(
            "a function cannot stand in for itself",
            f"the replacement of {target} is {target}.",
            target=target,
        )
    return answer


def _require_free(target: str) -> None:
    # Read without the lock: whoever finds another substitution standing must not wait for its end.
    standing = _active
    if standing is not None:
        raise SubstitutionRefused(
            "one function can be replaced at a time",
            f"{target} was to be replaced while {standing.target} is.",
            "Wait until the running check has ended.",
            target=target,
        )
    if _idle_thread == threading.get_ident():
        raise SubstitutionRefused(
            "no function can be replaced here",
            f"{target} was to be replaced while progress is being written.",
            target=target,
        )


_TEMPLATES = {
    inspect.CO_GENERATOR: "def f(*args, **kwargs): return (yield from 'substitution'.forward(args, kwargs))",
    inspect.CO_COROUTINE: "async def f(*args, **kwargs): return await 'substitution'.forward(args, kwargs)",
    0: "def f(*args, **kwargs): return 'substitution'.forward(args, kwargs)",
}


def _forwarder(substitution: Substitution, code: CodeType) -> CodeType:
    """Code of the target's kind (plain, generator, coroutine) that hands every call to the substitution.

    It can have no free variable and no name to look up in the target's module, so the substitution stands
    in it as a constant.
    """
    kind = code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE)
    module = compile(_TEMPLATES[kind], "<substitution>", "exec", dont_inherit=True)
    forwarder = next(constant for constant in module.co_consts if isinstance(constant, CodeType))
    constants = tuple(substitution if c == "substitution" else c for c in forwarder.co_consts)
    return forwarder.replace(co_consts=constants, co_name=code.co_name, co_qualname=code.co_qualname)
