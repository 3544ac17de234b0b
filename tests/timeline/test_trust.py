"""Timelines of a log: how far it can be trusted."""

from __future__ import annotations

from pathlib import Path

import pytest

from forge.errors import InvalidValue
from forge.history import History
from forge.log import ChainLog
from forge.state.models import RunEvent, apply_event
from forge.timeline import Timeline
from tests.timeline.runs import event, gapped_run


def log_of(path: Path, count: int) -> ChainLog:
    log = ChainLog(path, fsync_every=1000)
    for n in range(1, count + 1):
        log.append(event(n, step=f"step {n}").model_dump(mode="json"))
    return log


def history_of(count: int) -> History[int, RunEvent]:
    return History([event(n, step=f"step {n}") for n in range(1, count + 1)], lambda n, _: (n or 0) + 1)


def change(path: Path, record: int) -> None:
    lines = path.read_bytes().split(b"\n")
    lines[record - 1] = lines[record - 1].replace(b"step ", b"stop ")
    path.write_bytes(b"\n".join(lines))


def text(timeline: Timeline) -> str:
    return timeline._repr_mimebundle_()[0]["text/plain"]


def test_a_log_that_holds_is_trusted_to_its_last_record(tmp_path: Path) -> None:
    timeline = Timeline(history_of(5), trust=log_of(tmp_path / "run.jsonl", 5).scan())
    assert timeline.head["trust"] == {"count": 5, "broken": False}
    assert (timeline.head["end"], timeline.head["last"], timeline.head["stop"]) == (5, 5, None)
    assert text(timeline).endswith("✓ The chain holds up to record 5.")


def test_a_broken_chain_ends_the_states_and_the_slider_moves_up_to_the_break(tmp_path: Path) -> None:
    log = log_of(tmp_path / "run.jsonl", 5)
    change(log.path, 4)
    timeline = Timeline(history_of(3), trust=log.scan())
    assert timeline.head["trust"] == {"count": 3, "broken": True}
    assert (timeline.head["count"], timeline.head["last"], timeline.head["end"]) == (3, 3, 4)
    assert timeline.head["stop"]["mark"] == "✗ chain broken"
    assert timeline.head["stop"]["title"] == "Trust ends at record 4"
    assert "✗ Trust ends at record 4: " in text(timeline)
    assert text(timeline).startswith("Timeline: the state after 3 of 3 events\n")


def test_events_behind_the_break_are_listed_without_a_state(tmp_path: Path) -> None:
    log = log_of(tmp_path / "run.jsonl", 5)
    change(log.path, 3)
    timeline = Timeline(history_of(5), trust=log.scan())
    head = timeline.head
    assert (head["count"], head["last"], head["end"], head["stop"]["number"]) == (5, 2, 5, 3)
    assert text(timeline).startswith("Timeline: the state after 2 of 5 events\n")


def test_a_torn_record_is_called_torn(tmp_path: Path) -> None:
    log = log_of(tmp_path / "run.jsonl", 3)
    log.path.write_bytes(log.path.read_bytes()[:-9])
    timeline = Timeline(history_of(2), trust=log.scan())
    assert timeline.head["stop"]["mark"] == "✗ torn record"


def test_a_history_that_ends_before_the_break_shows_all_its_states(tmp_path: Path) -> None:
    log = log_of(tmp_path / "run.jsonl", 5)
    change(log.path, 5)
    timeline = Timeline(history_of(3), trust=log.scan())
    assert (timeline.head["end"], timeline.head["stop"]) == (3, None)


def test_what_comes_first_ends_the_states_a_refused_event_or_the_break(tmp_path: Path) -> None:
    refused = History(gapped_run(), apply_event)
    log = log_of(tmp_path / "run.jsonl", 6)
    assert Timeline(refused, trust=log.scan()).head["stop"]["mark"] == "✗ refused"
    change(log.path, 6)
    assert Timeline(refused, trust=log.scan()).head["stop"]["mark"] == "✗ refused"
    change(log.path, 2)
    head = Timeline(refused, trust=log.scan()).head
    assert (head["stop"]["mark"], head["last"], head["end"]) == ("✗ chain broken", 1, 6)


def test_an_empty_log_and_one_broken_at_once(tmp_path: Path) -> None:
    assert Timeline(history_of(0), trust=ChainLog(tmp_path / "none.jsonl").scan()).head["end"] == 0
    log = log_of(tmp_path / "run.jsonl", 2)
    change(log.path, 1)
    head = Timeline(history_of(0), trust=log.scan()).head
    assert (head["last"], head["end"], head["stop"]["number"]) == (0, 1, 1)


def test_only_a_scan_tells_of_trust(tmp_path: Path) -> None:
    scan = log_of(tmp_path / "run.jsonl", 2).scan()
    for _ in scan:
        pass
    for trust in (scan, [], ["x"], 3):
        with pytest.raises(InvalidValue, match=r"trust was refused: expected what ChainLog.scan\(\) gives"):
            Timeline(history_of(2), trust=trust)  # type: ignore[arg-type]
