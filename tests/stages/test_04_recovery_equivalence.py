"""Stage 4: what a recovery promises. Every test is a sentence about it, and so is every failure."""

from __future__ import annotations

from pathlib import Path

from forge.errors import RecoveryMismatch
from forge.fakes import FakeDisk
from forge.log import Anchor, ChainLog
from forge.state.checkpoint import save_checkpoint
from forge.state.models import RunEvent, apply_event, reduce_events
from forge.state.recovery import recover_state, verify_recovery_equivalent

PATH = Path("runs/run-1.json")


def event(sequence, kind, *, run_id="run-1", **payload):
    return RunEvent(event_id=f"e{sequence}", run_id=run_id, sequence=sequence, kind=kind, payload=payload)


def step(sequence, name, **named):
    return event(sequence, "step_started", step=name, **named)


HISTORY = [
    event(1, "run_created"),
    step(2, "inspect"),
    event(3, "write_permission_revoked"),
    step(4, "report"),
    step(5, "review"),
    step(6, "publish"),
]


def checkpoint(events, *, state=None, anchor=None):
    """A disk with a checkpoint of the state after these events."""
    disk = FakeDisk()
    save_checkpoint(PATH, state or reduce_events(events), anchor=anchor, disk=disk)
    return disk


def anchor_of(events):
    """The anchor of a log that holds these events."""
    log = ChainLog("runs/run-1.jsonl", disk=FakeDisk())
    for one in events:
        log.append(one.model_dump(mode="json"))
    return log.anchor()


def standing(state):
    permission = "may write" if state.write_allowed else "may not write"
    return f"{state.status} at {state.current_step}, {permission}, version {state.version}"


def outcome(act, disk, *events):
    """Where a recovery ends, in one line, or how it is refused."""
    try:
        return standing(act(PATH, *events, disk=disk))
    except RecoveryMismatch as error:
        return f"RecoveryMismatch: {error}"
    except ValueError as error:
        return f"ValueError: {error}"


def refused(kind, words, found):
    """`kind: … words …` if `found` is such a refusal with these words, else what it is instead."""
    return f"{kind}: … {words} …" if found.startswith(f"{kind}: ") and words in found else found


def test_checkpoint_plus_tail_matches_full_replay(tmp_path):
    for count in range(1, len(HISTORY) + 1):
        path = tmp_path / f"after-{count}.json"
        save_checkpoint(path, reduce_events(HISTORY[:count]), anchor=anchor_of(HISTORY[:count]))
        recovered = verify_recovery_equivalent(path, HISTORY[count:], HISTORY)
        expected = "running at publish, may not write, version 6"
        assert standing(recovered) == expected, f"checkpoint {count} and its tail must give the last state"
        assert recovered == recover_state(path, HISTORY[count:]), "both recoveries must give one state"


def test_tail_must_start_at_checkpoint_boundary():
    words = "tail events must continue immediately after the checkpoint"
    after_two = checkpoint(HISTORY[:2])
    for first in (1, 2, 4, 5, 6):
        found = outcome(recover_state, after_two, HISTORY[first - 1 :])
        assert refused("ValueError", words, found) == f"ValueError: … {words} …", (
            f"a tail that starts with event {first} must be rejected after event 2"
        )
    found = outcome(recover_state, after_two, [HISTORY[2], HISTORY[4]])
    assert refused("ValueError", "contiguous", found) == "ValueError: … contiguous …", (
        "a hole inside the tail must be rejected"
    )


def test_missing_tail_event_is_detected_by_equivalence_check():
    words = "differs from full event replay"
    for count in range(1, len(HISTORY)):
        for last in range(count, len(HISTORY)):
            disk = checkpoint(HISTORY[:count])
            found = outcome(verify_recovery_equivalent, disk, HISTORY[count:last], HISTORY)
            assert refused("RecoveryMismatch", words, found) == f"RecoveryMismatch: … {words} …", (
                f"after checkpoint {count} a tail that ends with event {last} of 6 must be detected"
            )


def test_a_wrong_state_in_a_checkpoint_is_detected():
    words = "differs from full event replay"
    for change in ({"write_allowed": True}, {"failure_reason": "disk full"}):
        state = reduce_events(HISTORY[:4]).model_copy(update=change)
        found = outcome(verify_recovery_equivalent, checkpoint([], state=state), HISTORY[4:], HISTORY)
        assert refused("RecoveryMismatch", words, found) == f"RecoveryMismatch: … {words} …", (
            f"a checkpoint with {change} must be detected, although it is whole and its tail is complete"
        )


def test_a_mismatch_names_the_first_event_that_differs():
    def mismatch(disk, tail):
        try:
            verify_recovery_equivalent(PATH, tail, HISTORY, disk=disk)
        except RecoveryMismatch as error:
            return error.evidence["sequence"], {d.field: d[1:] for d in error.evidence["differences"]}
        return "no mismatch"

    found = mismatch(checkpoint(HISTORY[:2]), HISTORY[2:4])
    expected = (5, {"version": (4, 5), "last_event_id": ("e4", "e5"), "current_step": ("report", "review")})
    assert found == expected, "the first event that the tail lacks must be named, and what it changed"
    allowed = reduce_events(HISTORY[:3]).model_copy(update={"write_allowed": True})
    found = mismatch(checkpoint([], state=allowed), HISTORY[3:])
    assert found == (3, {"write_allowed": (True, False)}), "a checkpoint that is wrong must be named itself"
    told = outcome(verify_recovery_equivalent, checkpoint([], state=allowed), HISTORY[3:], HISTORY)
    words = "after event 3: write_allowed is True recovered, False replayed"
    assert words in told, f"the error must say where and how they differ: {told}"


def test_the_event_at_the_checkpoint_is_not_applied_again():
    after_four = checkpoint(HISTORY[:4])
    found = outcome(recover_state, after_four, HISTORY[4:])
    assert found == "running at publish, may not write, version 6", "events 5 and 6 must follow checkpoint 4"
    found = outcome(recover_state, after_four, HISTORY[3:])
    assert found.startswith("ValueError"), f"event 4 must not be applied to checkpoint 4 again: {found}"
    found = outcome(recover_state, after_four, [])
    assert found == "running at report, may not write, version 4", "no events must change nothing"


def test_a_checkpoint_ahead_of_the_log_is_rejected():
    words = "checkpoint is ahead of the log"
    after_five = checkpoint(HISTORY[:5])
    for last in range(1, 5):
        found = outcome(verify_recovery_equivalent, after_five, [], HISTORY[:last])
        assert refused("ValueError", words, found) == f"ValueError: … {words} …", (
            f"a checkpoint at 5 must be rejected when the log ends with event {last}"
        )
    found = outcome(verify_recovery_equivalent, after_five, [], HISTORY[:5])
    assert found == "running at review, may not write, version 5", "a checkpoint at the end must be accepted"


def test_a_history_that_the_anchor_does_not_remember_is_rejected():
    words = "does not match the anchor"
    original = anchor_of(HISTORY[:3])
    # The state is the same either way: only the hash tells.
    renamed = [HISTORY[0], step(2, "look around"), *HISTORY[2:]]
    found = outcome(
        verify_recovery_equivalent, checkpoint(HISTORY[:3], anchor=original), HISTORY[3:], HISTORY
    )
    assert found == "running at publish, may not write, version 6", (
        "the history it remembers must be accepted"
    )
    disk = checkpoint(renamed[:3], anchor=original)
    found = outcome(verify_recovery_equivalent, disk, renamed[3:], renamed)
    assert refused("ValueError", words, found) == f"ValueError: … {words} …", (
        "a history with one changed event must be rejected"
    )
    for wrong in (Anchor(count=2, head=original.head), Anchor(count=9, head=original.head)):
        disk = checkpoint(HISTORY[:2], anchor=wrong)
        found = outcome(verify_recovery_equivalent, disk, HISTORY[2:], HISTORY)
        assert refused("ValueError", words, found) == f"ValueError: … {words} …", (
            f"an anchor of {wrong.count} events that are not these must be rejected"
        )


def test_a_checkpoint_of_another_run_is_rejected():
    other = [event(1, "run_created", run_id="run-2"), step(2, "inspect", run_id="run-2")]
    found = outcome(verify_recovery_equivalent, checkpoint(other), HISTORY[2:], HISTORY)
    words = "checkpoint is of another run"
    assert refused("ValueError", words, found) == f"ValueError: … {words} …", (
        "a checkpoint of run-2 must be rejected for the history of run-1"
    )
    found = outcome(recover_state, checkpoint(other), HISTORY[2:])
    assert refused("ValueError", "different run", found) == "ValueError: … different run …", (
        "a tail of run-1 must be rejected after a checkpoint of run-2"
    )


def test_a_recovered_state_knows_its_version():
    recovered = recover_state(PATH, [], disk=checkpoint(HISTORY[:2]))
    assert recovered.version == 2, "a state recovered from checkpoint 2 must say that it has seen two events"
    assert apply_event(recovered, HISTORY[2]).version == 3, "the next event must be number 3"
    try:
        found = standing(apply_event(recovered, step(1, "inspect")))
    except ValueError:
        found = "ValueError"
    assert found == "ValueError", "a count that starts again at 1 must be rejected"


def test_pages_of_any_size_recover_the_same_state():
    steps = [step(number, f"chapter {number}") for number in range(3, 1_002)]
    history = [*HISTORY[:2], *steps, event(1_002, "write_permission_revoked")]
    expected = "running at chapter 1001, may not write, version 1002"
    for size in (7, 250, 1_000, 1_001, 5_000):
        disk = checkpoint(history[:1])
        tail = history[1:]
        for start in range(0, len(tail), size):
            page = tail[start : start + size]
            save_checkpoint(PATH, recover_state(PATH, page, disk=disk), disk=disk)
        found = outcome(verify_recovery_equivalent, disk, [], history)
        assert found == expected, f"1,001 events read in pages of {size} must give the state of all events"
