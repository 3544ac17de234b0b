from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from forge.errors import (
    AnchorMismatch,
    CheckpointAhead,
    CheckpointOfAnotherRun,
    EventRefused,
    ForgeError,
    RecoveryMismatch,
    RecoveryRefused,
    TailGap,
)
from forge.fakes import FakeDisk
from forge.log import ChainLog
from forge.state import recovery
from forge.state.checkpoint import load_checkpoint, save_checkpoint
from forge.state.mismatch import parting
from forge.state.models import EventKind, RunEvent, RunState, apply_event, reduce_events
from forge.state.recovery import chain_head, recover_state, verify_recovery_equivalent

PATH = Path("runs/run-1.json")
LOG = Path("runs/run-1.jsonl")

MIDDLE = st.sampled_from([EventKind.STEP_STARTED, EventKind.WRITE_PERMISSION_REVOKED])


@st.composite
def histories(draw: st.DrawFn) -> list[RunEvent]:
    kinds = [EventKind.RUN_CREATED, *draw(st.lists(MIDDLE, max_size=20))]
    kinds += draw(st.sampled_from([[], [EventKind.RUN_COMPLETED], [EventKind.RUN_FAILED]]))
    text = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6).map("é ".__add__)
    return [
        RunEvent(
            event_id=f"e{n}",
            run_id="run-1",
            sequence=n,
            kind=kind,
            payload={"step": draw(text), "reason": draw(text)},
        )
        for n, kind in enumerate(kinds, start=1)
    ]


def run(count: int, *, start: int = 1, run_id: str = "run-1") -> list[RunEvent]:
    kinds = [EventKind.RUN_CREATED] + [EventKind.STEP_STARTED] * (count - 1)
    return [
        RunEvent(event_id=f"e{n}", run_id=run_id, sequence=n, kind=kind, payload={"step": f"step {n}"})
        for n, kind in enumerate(kinds, start=1)
    ][start - 1 :]


def logged(events: list[RunEvent], disk: FakeDisk) -> ChainLog:
    log = ChainLog(LOG, disk=disk)
    for one in events:
        log.append(one.model_dump(mode="json"))
    return log


def pages(log: ChainLog, start: int, size: int) -> Iterator[RunEvent]:
    while page := log.read(start=start, limit=size):
        yield from (RunEvent.model_validate(dict(record.event)) for record in page)
        start += len(page)


@given(histories(), st.data())
def test_a_prefix_saved_and_loaded_and_its_tail_in_pages_give_the_state_of_all(
    history: list[RunEvent], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(1, len(history)), label="cut")
    size = data.draw(st.integers(1, len(history) + 1), label="page size")
    disk = FakeDisk()
    log = logged(history[:cut], disk)
    save_checkpoint(PATH, reduce_events(history[:cut]), anchor=log.anchor(), disk=disk)
    log = logged(history[cut:], disk)

    recovered = recover_state(PATH, pages(log, cut + 1, size), disk=disk)
    assert recovered == reduce_events(history)
    assert recovered == verify_recovery_equivalent(
        PATH, pages(log, cut + 1, size), pages(log, 1, size), disk=disk
    )


@given(histories(), st.data())
def test_recovering_from_any_chain_of_checkpoints_is_recovering_once(
    history: list[RunEvent], data: st.DataObject
) -> None:
    stops = sorted(data.draw(st.sets(st.integers(1, len(history)), min_size=1)))
    disk = FakeDisk()
    save_checkpoint(PATH, reduce_events(history[: stops[0]]), disk=disk)
    for before, after in zip(stops, [*stops[1:], len(history)], strict=True):
        save_checkpoint(PATH, recover_state(PATH, history[before:after], disk=disk), disk=disk)
    assert load_checkpoint(PATH, disk=disk).state == reduce_events(history)


@given(histories(), st.data())
def test_a_shorter_tail_is_a_mismatch_at_the_first_event_it_lacks(
    history: list[RunEvent], data: st.DataObject
) -> None:
    assume(len(history) > 1)
    cut = data.draw(st.integers(1, len(history) - 1))
    last = data.draw(st.integers(cut, len(history) - 1))
    disk = FakeDisk()
    save_checkpoint(PATH, reduce_events(history[:cut]), disk=disk)
    with pytest.raises(RecoveryMismatch) as caught:
        verify_recovery_equivalent(PATH, history[cut:last], history, disk=disk)
    assert caught.value.evidence["sequence"] == last + 1
    fields = {difference.field for difference in caught.value.evidence["differences"]}
    assert {"version", "last_event_id"} <= fields


@given(histories())
def test_the_head_of_a_history_is_the_head_of_its_log(history: list[RunEvent]) -> None:
    log = logged(history, FakeDisk())
    for count, record in enumerate(log.read(), start=1):
        assert chain_head(history[:count]) == record.record_hash
    assert chain_head(history) == log.anchor().head


@given(histories(), st.data())
def test_any_change_to_an_anchored_event_is_refused(history: list[RunEvent], data: st.DataObject) -> None:
    number = data.draw(st.integers(1, len(history)))
    change: dict[str, object] = data.draw(
        st.sampled_from([{"event_id": "other"}, {"payload": {"step": "x", "reason": "y"}}])
    )
    disk = FakeDisk()
    save_checkpoint(PATH, reduce_events(history), anchor=logged(history, disk).anchor(), disk=disk)
    changed = [*history]
    changed[number - 1] = history[number - 1].model_copy(update=change)
    with pytest.raises(AnchorMismatch, match="history does not match the anchor of the checkpoint"):
        verify_recovery_equivalent(PATH, [], changed, disk=disk)


def test_each_refusal_has_its_name_and_its_facts() -> None:
    history = run(6)
    disk = FakeDisk()
    save_checkpoint(PATH, reduce_events(history[:4]), disk=disk)
    with pytest.raises(TailGap) as gap:
        recover_state(PATH, history[5:], disk=disk)
    assert str(gap.value) == (
        "tail events must continue immediately after the checkpoint: "
        "the checkpoint of run-1 is after event 4, the tail starts with event 6 of run-1. "
        "Read the tail again from 5."
    )
    assert gap.value.evidence == {"expected": 5, "found": 6}
    with pytest.raises(
        CheckpointAhead, match="it is after event 4 of run-1, the log ends with event 3"
    ) as ahead:
        verify_recovery_equivalent(PATH, [], history[:3], disk=disk)
    assert ahead.value.evidence == {"version": 4, "count": 3}
    with pytest.raises(CheckpointOfAnotherRun, match="it is of run-1, the history is of run-2") as other:
        verify_recovery_equivalent(PATH, [], run(6, run_id="run-2"), disk=disk)
    assert other.value.evidence == {"run_id": "run-1", "found": "run-2"}


def test_a_history_that_is_not_whole_is_refused_as_such() -> None:
    disk = FakeDisk()
    save_checkpoint(PATH, reduce_events(run(4)), disk=disk)
    for history in ([], run(6, start=2)):
        with pytest.raises(EventRefused, match=r"at least one event|the first event must create the run"):
            verify_recovery_equivalent(PATH, run(6, start=5), history, disk=disk)


def test_a_tail_that_is_longer_than_the_history_is_a_mismatch() -> None:
    disk = FakeDisk()
    save_checkpoint(PATH, reduce_events(run(4)), disk=disk)
    with pytest.raises(RecoveryMismatch, match="after event 6: version is 6 recovered, 5 replayed"):
        verify_recovery_equivalent(PATH, run(6, start=5), run(5), disk=disk)


def test_a_mismatch_is_told_in_one_sentence() -> None:
    disk = FakeDisk()
    save_checkpoint(PATH, reduce_events(run(2)), disk=disk)
    with pytest.raises(RuntimeError) as caught:
        verify_recovery_equivalent(PATH, run(3, start=3), run(4), disk=disk)
    assert str(caught.value) == (
        "checkpoint recovery differs from full event replay; "
        "keep the original checkpoint and inspect the tail boundary: "
        "the first difference is after event 4: version is 3 recovered, 4 replayed; "
        "last_event_id is 'e3' recovered, 'e4' replayed; "
        "current_step is 'step 3' recovered, 'step 4' replayed."
    )


def test_a_recovery_that_does_something_else_is_a_mismatch_even_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(path: Path, tail: list[RunEvent], **_: object) -> RunState:
        return reduce_events(run(4)).model_copy(update={"write_allowed": False})

    disk = FakeDisk()
    save_checkpoint(PATH, reduce_events(run(2)), disk=disk)
    monkeypatch.setattr(recovery, "recover_state", forgetful)
    with pytest.raises(
        RecoveryMismatch, match="applying the tail to the checkpoint once more gives the right"
    ):
        verify_recovery_equivalent(PATH, run(4, start=3), run(4), disk=disk)


def test_states_that_never_part_have_no_parting() -> None:
    assert parting(reduce_events(run(2)), run(4, start=3), run(4)) is None


@pytest.mark.parametrize("size", [1, 999, 1_000, 1_001, 1_002])
def test_a_page_boundary_changes_nothing(size: int) -> None:
    disk, history = FakeDisk(), run(1_001)
    save_checkpoint(PATH, reduce_events(history[:1]), disk=disk)
    tail = (one for start in range(1, 1_001, size) for one in history[start : start + size])
    assert recover_state(PATH, tail, disk=disk) == reduce_events(history)


def test_recovery_reads_and_never_writes(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.json"
    save_checkpoint(path, reduce_events(run(2)))
    before = (path.read_bytes(), path.stat().st_mtime_ns, list(tmp_path.iterdir()))
    verify_recovery_equivalent(path, run(4, start=3), run(4))
    with pytest.raises(RecoveryMismatch):
        verify_recovery_equivalent(path, [], run(4))
    assert (path.read_bytes(), path.stat().st_mtime_ns, list(tmp_path.iterdir())) == before


def test_a_refused_event_after_the_checkpoint_is_the_reducers_own_refusal() -> None:
    disk = FakeDisk()
    ended = apply_event(
        reduce_events(run(2)),
        RunEvent(event_id="e3", run_id="run-1", sequence=3, kind=EventKind.RUN_COMPLETED),
    )
    save_checkpoint(PATH, ended, disk=disk)
    with pytest.raises(EventRefused, match="a terminal run cannot accept more events"):
        recover_state(PATH, run(4, start=4), disk=disk)


def test_every_error_keeps_its_base_and_belongs_to_forge() -> None:
    for kind in (TailGap, CheckpointAhead, CheckpointOfAnotherRun):
        assert issubclass(kind, RecoveryRefused)
        assert issubclass(kind, ValueError)
    assert issubclass(RecoveryMismatch, ForgeError)
    assert issubclass(RecoveryMismatch, RuntimeError)
    assert recovery.RecoveryMismatch is RecoveryMismatch
