"""The second time axis: which of the known documents are in force on a day.

First comes what was known, then what is in force. A document that is superseded or revoked stays so on every
day, and a new version that is not in force yet does not bring the old one back.
"""

from __future__ import annotations

from ..chain import FrozenDict
from ..errors import ContractError
from ..wording import show
from .events import DAY_EXPECTED, is_day
from .states import Row, State, put


def status_on(row: Row, on: str) -> str:
    """The status of a document's row on a day: of an active one, whether it is in force.

    The interval is half open: the first day is in it, the last one is not. An open end has no border.
    """
    if row["status"] != "active":
        return str(row["status"])
    begins, ends = row.get("effective_from"), row.get("effective_until")
    if begins is not None and on < begins:
        return "not_effective"
    if ends is not None and ends <= on:
        return "expired"
    return "active"


def temporal_view(state: State, on: str) -> State:
    """The state as it is on a day, in which only documents in force are active. `state` stays as it is.

    `on` is a plain YYYY-MM-DD: no clock is asked. Anything else raises `ContractError`.
    """
    day, documents = require_day(on), {}
    for doc_id, versions in state["documents"].items():
        on_day = {version: put(row, {"status": status_on(row, day)}) for version, row in versions.items()}
        documents[doc_id] = put(versions, on_day)
    return put(state, {"documents": FrozenDict(documents)})


def require_day(on: object) -> str:
    """The day itself, if it is one as YYYY-MM-DD; else `ContractError`."""
    if not is_day(on):
        found = show(on)
        raise ContractError(
            "a date was refused",
            f"expected {DAY_EXPECTED}, found {found}.",
            "Name the day; none is taken from the clock or from a text.",
            expected=DAY_EXPECTED,
            found=found,
        )
    return str(on)
