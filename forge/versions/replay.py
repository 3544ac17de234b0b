"""From stored rows to a state: each row is verified against the one before it, then its event is applied.

A row is a mapping of four columns, `{seq, previous, sha, payload}`. `seq` counts from 0, `payload` is the
canonical JSON of the event, and `sha` is `sha(canonical({"seq": …, "previous": …, "event": …}))`, where
`previous` is the `sha` of the row before and 64 zeros for row 0.

The chain has no key. Whoever writes log and snapshot anew, with digests that fit, is not noticed here; only
an anchor that was kept somewhere else tells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from ..chain import GENESIS, parse_canonical
from ..errors import ChainCorrupted, ContractError
from ..wording import show
from .digests import canonical, sha
from .states import EMPTY, State, reduce_event


class Stored(Protocol):
    """A row of the log: SQLite's own, or a mapping with the same four columns."""

    def __getitem__(self, column: str, /) -> Any: ...


def replay_prefix(rows: Sequence[Stored], as_of: int | None = None) -> State:
    """The state after the first `as_of` rows; after all of them when it is None.

    0 gives the empty state. `ContractError` for any other value than a whole number from 0 to the number of
    rows, and for the first row that does not follow. Rows after the prefix are not looked at.
    """
    if as_of is None:
        as_of = len(rows)
    if type(as_of) is not int or not 0 <= as_of <= len(rows):
        raise no_prefix(as_of, len(rows))
    state, previous = EMPTY, GENESIS
    for seq, row in enumerate(rows[:as_of]):
        event = verified(row, seq, previous)
        state = reduce_event(state, event)
        previous = row["sha"]
    return state


def verified(row: Stored, seq: int, previous: str) -> Mapping[str, Any]:
    """The event that a row holds, if it is row `seq` and follows `previous`; else `ChainCorrupted`."""
    event = payload_of(row, seq)
    digest = sha(canonical({"seq": seq, "previous": previous, "event": event}))
    for column, expected in (("seq", seq), ("previous", previous), ("sha", digest)):
        found = row[column]
        if type(found) is not type(expected) or found != expected:
            raise corrupted(seq, f"expected {column} {brief(expected)}, found {brief(found)}")
    return event


def payload_of(row: Stored, seq: int) -> Mapping[str, Any]:
    """The event in a row's payload, if that is what `canonical` would write; else `ChainCorrupted`."""
    payload = row["payload"]
    data = payload.encode("utf-8", "surrogateescape") if type(payload) is str else b""
    event = parse_canonical(data)
    if not isinstance(event, Mapping):
        raise corrupted(seq, f"expected an event as canonical JSON, found {show(payload)}")
    return event


def corrupted(seq: int, facts: str) -> ChainCorrupted:
    """The error for row `seq`, whose columns do not give one another."""
    return ChainCorrupted(
        "event chain corrupted",
        f"row {seq}: {facts}.",
        f"The {seq} rows before it can be trusted. Nothing is mended: bring the log back from a copy.",
        seq=seq,
    )


def brief(value: object) -> str:
    """A column as an error shows it: a digest by its first eight digits."""
    return f"{value[:8]}…" if isinstance(value, str) and len(value) == len(GENESIS) else show(value)


def no_prefix(found: object, count: int) -> ContractError:
    """The error for an `as_of` that is no number of events of the log."""
    return ContractError(
        "historical prefix",
        f"the log holds {count} events, as_of is {show(found)}.",
        f"Ask for a whole number from 0 to {count}.",
        expected=f"0 to {count}",
        found=show(found),
    )
