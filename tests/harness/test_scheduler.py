"""Mechanism 22: schedules."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.errors import InvalidValue
from forge.harness.schedule_line import ScheduleRequest, parse_schedule
from forge.harness.scheduler import Schedule, Scheduler, occurrences
from forge.harness.sqlite_database import HarnessDatabase

START = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)  # a Monday
DAILY = parse_schedule("daily 09:00 write the report")


@pytest.fixture
def database(tmp_path):
    with HarnessDatabase(tmp_path / "h.sqlite3", durable=False) as opened:
        yield opened


@pytest.fixture
def scheduler(database):
    return Scheduler(database)


@pytest.mark.parametrize(
    ("text", "rrule"),
    [
        ("daily 09:05 do it", "FREQ=DAILY;BYHOUR=9;BYMINUTE=5;BYSECOND=0"),
        ("Weekly Mon 23:59 do it", "FREQ=WEEKLY;BYDAY=MO;BYHOUR=23;BYMINUTE=59;BYSECOND=0"),
        ("hourly do it", "FREQ=HOURLY;BYMINUTE=0;BYSECOND=0"),
        ("  FREQ=MONTHLY;BYMONTHDAY=-1  do it ", "FREQ=MONTHLY;BYMONTHDAY=-1"),
        ("freq=weekly;byday=tu,th do it", "FREQ=WEEKLY;BYDAY=TU,TH"),
    ],
)
def test_a_schedule_is_written_in_words_or_as_a_rule(text, rrule):
    assert parse_schedule(text) == ScheduleRequest(rrule, "do it")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "daily",
        "daily 09:00",
        "daily 9am do it",
        "daily 24:00 x",
        "daily 09:60 x",
        "weekly 09:00 x",
        "weekly xyz 09:00 x",
        "hourly",
        "sometimes do it",
        "FREQ=DAILY",
        "FREQ=DAILY  ",
    ],
)
def test_what_is_no_schedule_is_refused_with_how_to_write_one(text):
    with pytest.raises(InvalidValue, match=r"a schedule was refused: .* Write: daily 09:00 PROMPT"):
        parse_schedule(text)


@pytest.mark.parametrize(
    "rrule",
    ["FREQ=SECONDLY", "FREQ=DAILY;X=1", "FREQ=SOMETIMES", "FREQ=DAILY;BYHOUR=99", "FREQ=DAILY\nDTSTART:1"],
)
def test_a_rule_that_is_none_or_runs_every_second_is_refused(scheduler, rrule):
    with pytest.raises(InvalidValue, match="a rule was refused"):
        scheduler.add(ScheduleRequest(rrule, "x"), start=START)
    assert scheduler.schedules() == []


def test_nothing_is_due_before_its_time_and_it_is_due_at_its_very_moment(scheduler):
    scheduler.add(DAILY, start=START)
    nine = START.replace(hour=9)
    assert scheduler.claim(nine - timedelta(microseconds=1)) == []
    [due] = scheduler.claim(nine)
    assert (due.due, due.missed, due.schedule.prompt) == (nine, 0, "write the report")


def test_the_start_itself_is_a_moment_of_the_schedule(scheduler):
    scheduler.add(parse_schedule("daily 08:00 x"), start=START)
    assert [due.due for due in scheduler.claim(START)] == [START]


def test_what_was_missed_is_run_once_and_says_how_many_it_stands_for(scheduler):
    scheduler.add(DAILY, start=START)
    [due] = scheduler.claim(START + timedelta(days=5, hours=3))
    assert (due.due, due.missed) == (START.replace(hour=9) + timedelta(days=5), 5)
    assert scheduler.claim(START + timedelta(days=5, hours=4)) == []
    assert len(scheduler.claim(START + timedelta(days=6, hours=3))) == 1


def test_two_that_ask_at_the_same_time_run_it_once(scheduler, database):
    scheduler.add(DAILY, start=START)
    later = START + timedelta(days=1)
    with HarnessDatabase(database.path, durable=False) as other:
        claimed = scheduler.claim(later) + Scheduler(other).claim(later)
    assert len(claimed) == 1


def test_a_run_that_dies_in_the_middle_is_on_record_and_is_not_made_again(scheduler):
    scheduler.add(DAILY, start=START)

    def dies(_due):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        scheduler.run_due(START + timedelta(days=1), dies)
    assert scheduler.run_due(START + timedelta(days=1), pytest.fail) == []
    assert [status for *_, status in scheduler.runs()] == ["claimed"]


def test_one_that_fails_stops_no_other(scheduler):
    for text in ("daily 09:00 a", "daily 09:00 b"):
        scheduler.add(parse_schedule(text), start=START)
    ran = []

    def run(due):
        ran.append(due.schedule.prompt)
        if due.schedule.prompt == "a":
            raise ValueError

    scheduler.run_due(START + timedelta(days=1), run)
    assert sorted(ran) == ["a", "b"]
    assert sorted(status for *_, status in scheduler.runs()) == ["completed", "failed"]


def test_the_same_schedule_twice_is_one(scheduler):
    assert scheduler.add(DAILY, start=START) == scheduler.add(DAILY, start=START + timedelta(days=9))
    assert len(scheduler.schedules()) == 1


def test_a_schedule_that_is_removed_is_due_no_more(scheduler):
    made = scheduler.add(DAILY, start=START)
    scheduler.remove(made.schedule_id)
    assert scheduler.claim(START + timedelta(days=9)) == []
    with pytest.raises(InvalidValue, match="no schedule has this id"):
        scheduler.remove(made.schedule_id)


def test_nine_o_clock_is_nine_o_clock_on_both_sides_of_the_change_of_clocks(scheduler):
    made = scheduler.add(DAILY, start=datetime(2026, 3, 27, tzinfo=UTC), zone="Europe/Berlin")
    moments = occurrences(made, made.start, datetime(2026, 3, 31, tzinfo=UTC))
    assert [when.hour for when in moments] == [8, 8, 7, 7]


def test_an_unknown_zone_and_a_time_without_offset_are_refused(scheduler):
    with pytest.raises(InvalidValue, match="zone was refused"):
        scheduler.add(DAILY, start=START, zone="Mars/Olympus")
    with pytest.raises(InvalidValue):
        scheduler.add(DAILY, start=datetime(2026, 1, 1))


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=6).map(sorted))
def test_however_often_one_asks_every_moment_is_run_or_stood_for_exactly_once(tmp_path_factory, minutes):
    with HarnessDatabase(tmp_path_factory.mktemp("s") / "h", durable=False) as database:
        scheduler = Scheduler(database)
        schedule = scheduler.add(ScheduleRequest("FREQ=HOURLY;INTERVAL=7", "x"), start=START)
        claimed = [due for at in minutes for due in scheduler.claim(START + timedelta(minutes=at))]
    covered = sum(1 + due.missed for due in claimed)
    last = START + timedelta(minutes=minutes[-1])
    assert covered == len(occurrences(schedule, START - timedelta(seconds=1), last))
    assert isinstance(schedule, Schedule)
