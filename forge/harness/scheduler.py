"""Mechanism 22: runs that begin by themselves, by recurrence rules (RFC 5545) as `dateutil` reads them.

Nothing runs while nobody is there. Whoever comes back asks what is due: however many times a schedule was
missed, it runs once, and the run says how many it stands for. A run is claimed in the database before it is
made, so two that ask at the same time make it once, and one that dies in the middle does not make it again.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from typing import NamedTuple
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr

from ..chain import sha256
from ..errors import InvalidValue
from ..instants import instant, moment
from ..wording import show
from .schedule_line import ScheduleRequest
from .sqlite_database import HarnessDatabase

_PARTS = re.compile(r"(FREQ|INTERVAL|COUNT|UNTIL|WKST|BY[A-Z]+)=[A-Z0-9,+-]+")
_MOST = 100_000


class Schedule(NamedTuple):
    """A prompt that is run by itself, from `start` on, by the clock of `zone`."""

    schedule_id: str
    prompt: str
    rrule: str
    start: datetime
    zone: str


class Due(NamedTuple):
    """A claimed run: its schedule, the last moment it was due, how many earlier ones it stands for."""

    schedule: Schedule
    due: datetime
    missed: int


def occurrences(schedule: Schedule, after: datetime, until: datetime) -> list[datetime]:
    """The moments of a schedule, after `after` and up to `until` included, in UTC and in order."""
    local = schedule.start.astimezone(zone_of(schedule.zone))
    rule = rrulestr(schedule.rrule, dtstart=local)
    found: list[datetime] = []
    for at in rule:
        when = at.astimezone(UTC)
        if when > until:
            break
        if when > after:
            found.append(when)
        if len(found) > _MOST:
            raise InvalidValue("a schedule was refused", f"more than {_MOST:,} moments were missed.")
    return found


def zone_of(name: str) -> tzinfo:
    """The clock of a time zone. UTC needs no list of zones, which some systems lack."""
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        raise InvalidValue("zone was refused", f"expected a time zone, found {show(name)}.") from None


class Scheduler:
    """The schedules of a workspace, kept in its database."""

    def __init__(self, database: HarnessDatabase) -> None:
        self._database = database.database

    def add(self, wanted: ScheduleRequest, *, start: datetime, zone: str = "UTC") -> Schedule:
        """Keep a schedule; the same one again is the one that is there."""
        _check_rule(wanted.rrule)
        zone_of(zone)
        begin = moment(instant(start)).replace(microsecond=0)
        identity = "\0".join((wanted.rrule, wanted.prompt, zone))
        schedule = Schedule(
            f"schedule-{sha256(identity.encode())[:12]}", wanted.prompt, wanted.rrule, begin, zone
        )
        try:
            occurrences(schedule, begin, begin)
        except (ValueError, TypeError) as error:
            raise InvalidValue("a rule was refused", f"{wanted.rrule}: {error}.") from None
        with self._database.writing() as connection:
            row = (
                schedule.schedule_id,
                wanted.prompt,
                wanted.rrule,
                instant(begin),
                zone,
                instant(begin) - 1,
            )
            connection.execute("INSERT OR IGNORE INTO schedules VALUES (?, ?, ?, ?, ?, ?)", row)
        return next(one for one in self.schedules() if one.schedule_id == schedule.schedule_id)

    def schedules(self) -> list[Schedule]:
        """All schedules, by id."""
        rows = self._database.read("SELECT * FROM schedules ORDER BY schedule_id")
        return [
            Schedule(row["schedule_id"], row["prompt"], row["rrule"], moment(row["start"]), row["zone"])
            for row in rows
        ]

    def remove(self, schedule_id: str) -> None:
        """Forget a schedule; what it ran stays on record."""
        with self._database.writing() as connection:
            found = connection.execute("DELETE FROM schedules WHERE schedule_id = ?", (schedule_id,))
            if not found.rowcount:
                raise InvalidValue("no schedule has this id", f"found {show(schedule_id)}.")

    def claim(self, now: datetime) -> list[Due]:
        """What is due: one run for each schedule that has missed any, claimed for the caller alone."""
        claimed = []
        for schedule in self.schedules():
            with self._database.writing() as connection:
                query = "SELECT done FROM schedules WHERE schedule_id = ?"
                row = connection.execute(query, (schedule.schedule_id,)).fetchone()
                found = occurrences(schedule, moment(row["done"]), now) if row else []
                if not found:
                    continue
                due, missed = instant(found[-1]), len(found) - 1
                run = (schedule.schedule_id, due, instant(now), missed, "claimed")
                connection.execute("INSERT INTO schedule_runs VALUES (?, ?, ?, ?, ?)", run)
                connection.execute(
                    "UPDATE schedules SET done = ? WHERE schedule_id = ?", (due, schedule.schedule_id)
                )
            claimed.append(Due(schedule, found[-1], missed))
        return claimed

    def run_due(self, now: datetime, run: Callable[[Due], object]) -> list[Due]:
        """Run what is due, each by `run`, and keep whether it raised. One that fails stops no other."""
        claimed = self.claim(now)
        for due in claimed:
            status = "failed"
            try:
                run(due)
                status = "completed"
            except Exception:  # its own record says so; the next schedule is not its business
                status = "failed"
            with self._database.writing() as connection:
                connection.execute(
                    "UPDATE schedule_runs SET status = ? WHERE schedule_id = ? AND due = ?",
                    (status, due.schedule.schedule_id, instant(due.due)),
                )
        return claimed

    def runs(self) -> list[tuple[str, datetime, int, str]]:
        """What ran: schedule, moment, how many earlier ones it stood for, and its status, in order."""
        rows = self._database.read("SELECT * FROM schedule_runs ORDER BY due, schedule_id")
        return [(row["schedule_id"], moment(row["due"]), row["missed"], row["status"]) for row in rows]


def _check_rule(rrule: str) -> None:
    parts = rrule.split(";")
    if not all(_PARTS.fullmatch(part) for part in parts) or "FREQ=SECONDLY" in parts:
        raise InvalidValue(
            "a rule was refused",
            f"expected FREQ=… of a minute or more, found {show(rrule)}.",
            "See RFC 5545, 3.3.10.",
        )
