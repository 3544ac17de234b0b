"""Moments as whole numbers, so that comparing them is comparing times.

Text would not do: `2026-12-31T23:59:59-05:00` sorts before `2027-01-01T02:00:00Z` and is three hours later.
Nor would a time without its UTC offset, which is another moment in every zone: it is refused.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime

from .chain import refuse
from .wording import show

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def instant(when: datetime | None = None) -> int:
    """The whole microseconds from 1970 to `when`, in UTC; None is this moment.

    A time without its UTC offset raises `InvalidValue`.
    """
    if when is None:
        when = datetime.now(UTC)
    if not isinstance(when, datetime) or when.utcoffset() is None:
        refuse("a moment", "a time with its UTC offset", show(when))
    return (when - EPOCH) // timedelta(microseconds=1)


def moment(microseconds: int) -> datetime:
    """The time, in UTC, of which `instant` made the number."""
    return EPOCH + timedelta(microseconds=microseconds)


def _in_utc(when: datetime) -> datetime:
    # In UTC, two times are equal when they are the same moment. Between zones they need not be, in the hour
    # that a clock repeats (PEP 495).
    try:
        return moment(instant(when))
    except OverflowError:
        raise ValueError("a time in the years 1 to 9999 of UTC") from None


Instant = Annotated[AwareDatetime, AfterValidator(_in_utc)]
"""A field of a model: a time with its UTC offset, kept in UTC."""
