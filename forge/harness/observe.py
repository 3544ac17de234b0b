"""What is observed of each operation: who it was, how long it took, what it cost, and how it went wrong.

An `Operation` is what the audit log keeps. Values that look like secrets are replaced before anything is
kept: a log is read by more people than a configuration is.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pydantic import Field

from ..chain import canonical, freeze
from ..errors import ForgeModel, InvalidValue

HIDDEN = "[hidden]"

_NAMES = re.compile(
    r"(?i)(pass(word|wd|phrase)?|secret|token|api[-_]?key|authorization|credential|cookie|private[-_]?key)$"
)
_VALUES = re.compile(
    r"""(?x)
    -----BEGIN\ [A-Z ]*PRIVATE\ KEY-----.*?(-----END\ [A-Z ]*PRIVATE\ KEY-----|\Z)
    | \b(sk|pk|rk)[-_][A-Za-z0-9_-]{16,}             # keys of model providers and of payment services
    | \bgh[pousr]_[A-Za-z0-9]{20,} | \bgithub_pat_\w{20,} | \bglpat-[\w-]{16,}
    | \bAKIA[0-9A-Z]{16}\b | \bxox[abprs]-[\w-]{10,} | \bAIza[\w-]{30,}
    | \beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*              # a signed web token
    | (?<=://)[^/\s:@]+:[^/\s@]+(?=@)                # a name and a password in an address
    | (?i:(?<=bearer\ )|(?<=basic\ ))[A-Za-z0-9._~+/=-]{12,}
    | (?i:(?<=password=)|(?<=token=)|(?<=secret=)|(?<=api_key=)|(?<=apikey=))[^\s&"']+
    """,
    re.DOTALL,
)


def hide_secrets(value: Any) -> Any:
    """A copy of a plain JSON value in which everything that looks like a secret reads `[hidden]`."""
    if isinstance(value, str):
        return _VALUES.sub(HIDDEN, value)
    if isinstance(value, Mapping):
        return {
            hide_secrets(key): HIDDEN if _NAMES.search(key) and item not in (None, "") else hide_secrets(item)
            for key, item in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [hide_secrets(item) for item in value]
    return value


def brief(value: Any, limit: int = 500) -> str:
    """A plain JSON value as canonical JSON without secrets, cut to `limit` characters."""
    text = canonical(hide_secrets(value)).decode()
    return text if len(text) <= limit else text[: limit - 1] + "…"


class Operation(ForgeModel):
    """One operation, seen from outside. `duration_us` is in microseconds, `cost` in millionths of a credit.

    `stage` is where in the loop it happened: "model", "tool", "permission", "compaction" and so on.
    `evidence` is the path of the file that holds the whole of it, if there is one.
    """

    operation_id: str = Field(min_length=1)
    session_id: str
    stage: str = Field(min_length=1)
    tool: str | None = None
    duration_us: int = Field(default=0, ge=0)
    cost: int = Field(default=0, ge=0)
    error_class: str | None = None
    evidence: str | None = None
    facts: dict[str, Any] = Field(default_factory=dict)


class Watch:
    """What an operation that is going on learns about itself."""

    def __init__(self) -> None:
        self.cost = 0
        self.error_class: str | None = None
        self.evidence: str | None = None
        self.facts: dict[str, Any] = {}


class Observer:
    """Gives operations their ids and their durations, and hands each to `keep` when it is over.

    An id is the `label`, by default the session's id, and a number from 1. `tick` counts nanoseconds.
    """

    def __init__(
        self,
        keep: Callable[[Operation], object],
        session_id: str,
        *,
        label: str | None = None,
        tick: Callable[[], int] = time.perf_counter_ns,
    ) -> None:
        self._keep = keep
        self._session_id = session_id
        self._tick = tick
        self._label = label or session_id
        self._next = 1

    @contextmanager
    def operation(self, stage: str, tool: str | None = None) -> Iterator[Watch]:
        """One operation: whatever is raised inside is its error class, and goes on."""
        number, self._next = self._next, self._next + 1
        watch, start = Watch(), self._tick()
        try:
            yield watch
        except BaseException as error:
            watch.error_class = type(error).__name__
            raise
        finally:
            self._keep(
                Operation(
                    operation_id=f"{self._label}-op{number}",
                    session_id=self._session_id,
                    stage=stage,
                    tool=tool,
                    duration_us=(self._tick() - start) // 1000,
                    cost=watch.cost,
                    error_class=watch.error_class,
                    evidence=watch.evidence,
                    facts=_plain(watch.facts),
                )
            )


def _plain(facts: dict[str, Any]) -> Any:
    try:
        return freeze(hide_secrets(facts))
    except InvalidValue as error:
        return {"unreadable": str(error)[:200]}
