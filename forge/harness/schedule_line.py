"""Mechanism 22, the command: what follows `/schedule`, as a recurrence rule and a prompt.

    hourly Look for new mail
    daily 09:30 Write the summary
    weekdays 09:30 Write the summary
    weekly mon,thu 18:00 Remind the club
    monthly 1 08:00 Send the bill           (a day from 1 to 28, or "last")
    FREQ=YEARLY;BYMONTH=5 Look back         (a rule as RFC 5545 writes it)

A recurrence rule leaves out what does not exist (RFC 5545, 3.3.10): one for day 31 runs in seven months.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from ..errors import InvalidValue
from ..wording import show

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


Reader = Callable[[str], str]
"""How a word becomes a part of a rule."""


class ScheduleRequest(NamedTuple):
    """A recurrence rule as RFC 5545 writes it, and the prompt that is due each time."""

    rrule: str
    prompt: str


def parse_schedule(text: str) -> ScheduleRequest:
    """The rule and the prompt of what follows `/schedule`; the prompt stays as it was typed."""
    rhythm, rest = next_word(text)
    frequency, readers = rhythm_of(rhythm)
    parts = [frequency]
    for reader in readers:
        word, rest = next_word(rest)
        parts.append(reader(word))
    if not rest:
        raise refused("a prompt at the end", "nothing")
    return ScheduleRequest(";".join(parts), rest)


def rhythm_of(word: str) -> tuple[str, tuple[Reader, ...]]:
    """The part of the rule that a rhythm stands for, and how each further word is read."""
    if word.upper().startswith("FREQ="):
        return word.upper(), ()
    if word.lower() not in RHYTHMS:
        raise refused(f"one of {', '.join(RHYTHMS)}", word)
    return RHYTHMS[word.lower()]


def next_word(text: str) -> tuple[str, str]:
    """The first word of a text and what follows it, both without the spaces around them."""
    word, *rest = text.strip().split(maxsplit=1) or [""]
    return word, rest[0] if rest else ""


def refused(expected: str, found: str) -> InvalidValue:
    """The error for a line that is no schedule."""
    return InvalidValue(
        "a schedule was refused",
        f"expected {expected}, found {show(found)}.",
        "Write: daily 09:00 PROMPT, weekly mon,thu 09:00 PROMPT, monthly last 09:00 PROMPT, hourly PROMPT, "
        "or FREQ=… PROMPT.",
        path="schedule",
        expected=expected,
        found=found,
    )


def at_time(word: str) -> str:
    """The part of a rule for a time of the day, `HH:MM`."""
    if not re.fullmatch(r"([01]?[0-9]|2[0-3]):[0-5][0-9]", word):
        raise refused("a time from 00:00 to 23:59", word)
    hour, minute = word.split(":")
    return f"BYHOUR={int(hour)};BYMINUTE={int(minute)};BYSECOND=0"


def on_days(word: str) -> str:
    """The part of a rule for days of the week, `mon,thu` or `MO,TH`, in the order of the week."""
    days = [next((day for day in DAYS if part in (day, day[:2])), part) for part in word.lower().split(",")]
    if len(set(days)) != len(days) or not set(days) <= set(DAYS):
        raise refused(f"days of the week, each once, from {','.join(DAYS)}", word)
    return "BYDAY=" + ",".join(day[:2].upper() for day in sorted(days, key=DAYS.index))


def on_day(word: str) -> str:
    """The part of a rule for a day of the month that every month has."""
    if word.lower() == "last":
        return "BYMONTHDAY=-1"
    if not re.fullmatch(r"0?[1-9]|1[0-9]|2[0-8]", word):
        raise refused("a day that every month has, from 1 to 28, or “last”", word)
    return f"BYMONTHDAY={int(word)}"


RHYTHMS: dict[str, tuple[str, tuple[Reader, ...]]] = {
    "hourly": ("FREQ=HOURLY;BYMINUTE=0;BYSECOND=0", ()),
    "daily": ("FREQ=DAILY", (at_time,)),
    "weekdays": ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", (at_time,)),
    "weekly": ("FREQ=WEEKLY", (on_days, at_time)),
    "monthly": ("FREQ=MONTHLY", (on_day, at_time)),
}
"""The rhythms: the part of the rule that stands by itself, and how each further word is read."""
