"""Stage 4: what its errors say, word for word, and the evidence they carry."""

from __future__ import annotations

from pathlib import Path

import pytest

from forge.errors import AnchorMismatch, CheckpointAhead, TailGap
from forge.fakes import FakeDisk
from forge.log import Anchor
from forge.state.checkpoint import save_checkpoint
from forge.state.models import RunEvent, reduce_events
from forge.state.recovery import chain_head, recover_state, require_anchor, require_not_ahead
from forge.state.tail import tail_from_pages

PATH = Path("run-1.json")


def history(*steps: str) -> list[RunEvent]:
    kinds = ["run_created", *["step_started"] * len(steps)]
    payloads = [{}, *({"step": step} for step in steps)]
    return [
        RunEvent.model_validate(
            {"event_id": f"e{n}", "run_id": "run-1", "sequence": n, "kind": kind, "payload": payload}
        )
        for n, (kind, payload) in enumerate(zip(kinds, payloads, strict=True), start=1)
    ]


EVENTS = history("inspect", "report", "review")


def test_a_tail_that_begins_elsewhere() -> None:
    disk = FakeDisk()
    save_checkpoint(PATH, reduce_events(EVENTS[:2]), disk=disk)
    with pytest.raises(TailGap) as caught:
        recover_state(PATH, EVENTS[3:], disk=disk)
    assert str(caught.value) == (
        "tail events must continue immediately after the checkpoint: the checkpoint of run-1 is after "
        "event 2, the tail starts with event 4 of run-1. Read the tail again from 3."
    )
    assert caught.value.evidence == {"expected": 3, "found": 4}


def test_a_page_that_begins_elsewhere() -> None:
    with pytest.raises(TailGap) as caught:
        tail_from_pages(lambda start, limit: EVENTS[start : start + limit], 1, size=2)
    assert str(caught.value) == (
        "a page must start with the event that was asked for: the page from event 2 on starts with event 3. "
        "Read the tail again from 2."
    )
    assert caught.value.evidence == {"expected": 2, "found": 3}


def test_a_checkpoint_that_is_ahead() -> None:
    with pytest.raises(CheckpointAhead) as caught:
        require_not_ahead(reduce_events(EVENTS), 3)
    assert str(caught.value) == (
        "checkpoint is ahead of the log: it is after event 4 of run-1, the log ends with event 3. "
        "Keep both: what it saw after event 3 is in no log, and an event that takes such a number would be "
        "skipped. Replay the whole history."
    )
    assert caught.value.evidence == {"version": 4, "count": 3}


def test_a_history_that_is_shorter_than_its_anchor() -> None:
    anchor = Anchor(count=4, head=chain_head(EVENTS))
    with pytest.raises(AnchorMismatch) as caught:
        require_anchor(anchor, EVENTS[:3])
    assert str(caught.value) == (
        "history does not match the anchor of the checkpoint: the history has 3 events, the anchor "
        "remembers 4. Keep the checkpoint, and take the history from a copy."
    )
    assert caught.value.evidence == {"count": 3, "expected": anchor, "found": chain_head(EVENTS[:3])}


def test_a_history_that_was_rewritten() -> None:
    anchor = Anchor(count=3, head=chain_head(EVENTS[:3]))
    rewritten = history("look around", "report", "review")
    found = chain_head(rewritten[:3])
    with pytest.raises(AnchorMismatch) as caught:
        require_anchor(anchor, rewritten)
    assert str(caught.value) == (
        f"history does not match the anchor of the checkpoint: event 3 has the hash {found[:12]}…, the "
        f"anchor remembers {anchor.head[:12]}…: this event or one before it is not what it was. "
        "Keep the checkpoint, and take the history from a copy."
    )
    assert caught.value.evidence == {"count": 4, "expected": anchor, "found": found}
