"""Stage 4: what a recovery promises. Every test is a sentence about it, and so is every failure."""

from __future__ import annotations

from pathlib import Path

from forge.errors import RecoveryMismatch, TailGap
from forge.fakes import FakeDisk
from forge.log import Anchor, ChainLog
from forge.state.checkpoint import save_checkpoint
from forge.state.mismatch import parting
from forge.state.models import RunEvent, apply_event, reduce_events
from forge.state.recovery import recover_state, verify_recovery_equivalent
from forge.state.tail import tail_from_pages
from forge.storage import REAL_DISK

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


def outcome(act, disk, *events, path=PATH):
    """Where a recovery ends, in one line, or how it is refused."""
    try:
        return standing(act(path, *events, disk=disk))
    except RecoveryMismatch as error:
        return f"RecoveryMismatch: {error}"
    except ValueError as error:
        return f"ValueError: {error}"
    except FileNotFoundError:
        return "FileNotFoundError: the checkpoint stands on the disk of the test; is disk=disk handed on?"


def refused(kind, words, found):
    """`kind: … words …` if `found` is such a refusal with these words, else what it is instead."""
    return f"{kind}: … {words} …" if found.startswith(f"{kind}: ") and words in found else found


def test_checkpoint_plus_tail_matches_full_replay(tmp_path):
    expected = "running at publish, may not write, version 6"
    for count in (2, 1, 3, 4, 5, 6):
        path = tmp_path / f"after-{count}.json"
        save_checkpoint(path, reduce_events(HISTORY[:count]), anchor=anchor_of(HISTORY[:count]))
        found = outcome(recover_state, REAL_DISK, HISTORY[count:], path=path)
        assert found == expected, f"checkpoint {count} and its tail must give the last state"
        found = outcome(verify_recovery_equivalent, REAL_DISK, HISTORY[count:], HISTORY, path=path)
        assert found == expected, f"checkpoint {count} and its whole tail must be accepted"


def test_tail_must_start_at_checkpoint_boundary():
    words = "tail events must continue immediately after the checkpoint"
    after_two = checkpoint(HISTORY[:2])
    for first in (4, 5, 6, 1, 2):
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
    for count in (2, 1, 3, 4, 5):
        for last in range(5, count - 1, -1):
            disk = checkpoint(HISTORY[:count])
            found = outcome(verify_recovery_equivalent, disk, HISTORY[count:last], HISTORY)
            assert refused("RecoveryMismatch", words, found) == f"RecoveryMismatch: … {words} …", (
                f"after checkpoint {count} a tail that ends with event {last} of 6 must be detected"
            )


def test_a_wrong_state_in_a_checkpoint_is_detected():
    words = "differs from full event replay"
    for field, value in {"write_allowed": True, "failure_reason": "disk full"}.items():
        state = reduce_events(HISTORY[:4]).model_copy(update={field: value})
        found = outcome(verify_recovery_equivalent, checkpoint([], state=state), HISTORY[4:], HISTORY)
        assert refused("RecoveryMismatch", words, found) == f"RecoveryMismatch: … {words} …", (
            f"a checkpoint with a wrong {field} must be detected, although its tail is whole"
        )


def test_a_mismatch_names_the_first_event_that_differs():
    def mismatch(disk, tail):
        try:
            verify_recovery_equivalent(PATH, tail, HISTORY, disk=disk)
        except RecoveryMismatch as error:
            if not error.evidence:
                return "a RecoveryMismatch without evidence; `mismatch` makes one that has it"
            differences = map(str, error.evidence.get("differences", ()))
            return f"after event {error.evidence.get('sequence')}: {'; '.join(differences)}"
        return "no mismatch"

    found = mismatch(checkpoint(HISTORY[:2]), HISTORY[2:4])
    expected = (
        "after event 5: version is 4 recovered, 5 replayed; last_event_id is 'e4' recovered, 'e5' replayed; "
        "current_step is 'report' recovered, 'review' replayed"
    )
    assert found == expected, "the first event that the tail lacks must be named, and what it changed"
    allowed = reduce_events(HISTORY[:3]).model_copy(update={"write_allowed": True})
    found = mismatch(checkpoint([], state=allowed), HISTORY[3:])
    expected = "after event 3: write_allowed is True recovered, False replayed"
    assert found == expected, "a checkpoint that is wrong must be named itself"
    told = outcome(verify_recovery_equivalent, checkpoint([], state=allowed), HISTORY[3:], HISTORY)
    assert refused("RecoveryMismatch", expected, told) == f"RecoveryMismatch: … {expected} …", (
        "the error must say where and how they differ"
    )


def test_the_first_event_after_which_two_states_differ_is_found():
    def first(start, tail, history):
        where = parting(start, tail, history)
        return where and (where.sequence, [difference.field for difference in where.differences])

    after_two = reduce_events(HISTORY[:2])
    step_fields = ["version", "last_event_id", "current_step"]
    assert first(after_two, HISTORY[2:], HISTORY) is None, "states that never differ must have no such event"
    for last in range(2, 6):
        fields = ["version", "last_event_id", "write_allowed"] if last == 2 else step_fields
        found = first(after_two, HISTORY[2:last], HISTORY)
        assert found == (last + 1, fields), f"of a tail that ends with event {last}, the next must be found"
    found = first(after_two, HISTORY[2:], HISTORY[:4])
    assert found == (5, step_fields), "of a tail that is too long, the first event too many must be found"
    found = first(reduce_events(HISTORY[:3]), [], HISTORY[:4])
    assert found == (4, step_fields), "of a tail without events, the first one that it lacks must be found"
    other = [HISTORY[2], step(4, "look around"), *HISTORY[4:]]
    found = first(after_two, other, HISTORY)
    assert found == (4, ["current_step"]), "event 4 must be found, although event 5 makes the states equal"
    wrong = after_two.model_copy(update={"current_step": "look around"})
    found = first(wrong, HISTORY[2:], HISTORY)
    assert found == (2, ["current_step"]), "a checkpoint that is wrong must be found before its tail"


def test_the_event_at_the_checkpoint_is_not_applied_again():
    after_four = checkpoint(HISTORY[:4])
    found = outcome(recover_state, after_four, HISTORY[4:])
    assert found == "running at publish, may not write, version 6", "events 5 and 6 must follow checkpoint 4"
    words = "tail events must continue immediately after the checkpoint"
    found = outcome(recover_state, after_four, HISTORY[3:])
    assert refused("ValueError", words, found) == f"ValueError: … {words} …", (
        "event 4 must not be applied to checkpoint 4 again"
    )
    found = outcome(recover_state, after_four, [])
    assert found == "running at report, may not write, version 4", "no events must change nothing"


def test_a_checkpoint_ahead_of_the_log_is_rejected():
    words = "checkpoint is ahead of the log"
    after_five = checkpoint(HISTORY[:5])
    for last in (4, 3, 2, 1):
        found = outcome(verify_recovery_equivalent, after_five, [], HISTORY[:last])
        assert refused("ValueError", words, found) == f"ValueError: … {words} …", (
            f"a checkpoint at 5 must be rejected when the log ends with event {last}"
        )
    found = outcome(verify_recovery_equivalent, after_five, [], HISTORY[:5])
    assert found == "running at review, may not write, version 5", "a checkpoint at the end must be accepted"


def test_a_history_that_the_anchor_does_not_remember_is_rejected():
    words = "does not match the anchor"
    expected = f"ValueError: … {words} …"
    kept = checkpoint(HISTORY[:3], anchor=anchor_of(HISTORY[:3]))
    found = outcome(verify_recovery_equivalent, kept, HISTORY[3:], HISTORY)
    assert found == "running at publish, may not write, version 6", (
        "the history that the anchor remembers must be accepted"
    )
    # The last state is the same either way: only the hash tells.
    rewritten = [HISTORY[0], step(2, "look around"), *HISTORY[2:]]
    found = outcome(verify_recovery_equivalent, kept, HISTORY[3:], rewritten)
    assert refused("ValueError", words, found) == expected, (
        "a history of the same length in which event 2 was rewritten must be rejected"
    )
    rewritten = [*HISTORY[:2], event(3, "write_permission_revoked", by="nobody"), *HISTORY[3:]]
    found = outcome(verify_recovery_equivalent, kept, HISTORY[3:], rewritten)
    assert refused("ValueError", words, found) == expected, (
        "a history in which the last event that the anchor remembers was rewritten must be rejected"
    )
    for count in (2, 4, 9):
        wrong = Anchor(count=count, head=anchor_of(HISTORY[:3]).head)
        found = outcome(
            verify_recovery_equivalent, checkpoint(HISTORY[:2], anchor=wrong), HISTORY[2:], HISTORY
        )
        assert refused("ValueError", words, found) == expected, (
            f"an anchor of {count} events with the hash of another count must be rejected"
        )
    later = checkpoint(HISTORY[:3], anchor=anchor_of(HISTORY[:5]))
    found = outcome(verify_recovery_equivalent, later, [HISTORY[3]], HISTORY[:4])
    assert refused("ValueError", words, found) == expected, (
        "a history that ends before what the anchor remembers must be rejected"
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


def reader(events, *, most=5_000):
    """A store that gives at most `most` events at a time, however many it is asked for."""
    asked = []

    def read_page(start, limit):
        asked.append(limit)
        assert len(asked) <= 2 * len(events), "a tail must come to an end"
        return events[start - 1 : start - 1 + min(limit, most)]

    return read_page, asked


def test_a_tail_in_pages_is_every_event_after_the_checkpoint():
    for count in (1, 2, 5, 6):
        for size in (1, 2, 3, 4, 100):
            read_page, asked = reader(HISTORY)
            found = [one.sequence for one in tail_from_pages(read_page, count, size=size)]
            expected = [*range(count + 1, 7)]
            assert found == expected, f"after event {count} pages of {size} must give every event once"
            assert max(asked) <= size, f"no page of more than {size} events must be asked for"


def test_a_page_that_is_short_is_not_the_last():
    for most in (3, 2, 1):
        read_page, _ = reader(HISTORY, most=most)
        found = [one.sequence for one in tail_from_pages(read_page, 1, size=4)]
        assert found == [2, 3, 4, 5, 6], f"pages of {most}, where 4 were asked for, must be read to the end"


def test_a_page_that_starts_elsewhere_is_rejected():
    def read(read_page, version):
        try:
            return [one.sequence for one in tail_from_pages(read_page, version, size=2)]
        except TailGap:
            return "TailGap"

    whole, _ = reader(HISTORY)
    again, _ = reader(HISTORY)
    stores = {
        "that repeats the event before": lambda start, limit: whole(max(start - 1, 1), limit),
        "that leaves out an event": lambda start, limit: whole(start + (start == 5), limit),
        "that always starts with event 1": lambda _start, limit: again(1, limit),
    }
    for store, read_page in stores.items():
        assert read(read_page, 2) == "TailGap", f"a store {store} must be rejected"


def test_pages_of_any_size_recover_the_same_state():
    steps = [step(number, f"chapter {number}") for number in range(3, 1_002)]
    history = [*HISTORY[:2], *steps, event(1_002, "write_permission_revoked")]
    disk = checkpoint(history[:1])
    expected = "running at chapter 1001, may not write, version 1002"
    for size in (7, 1_000, 1_001, 5_000):
        read_page, _ = reader(history)
        found = outcome(recover_state, disk, tail_from_pages(read_page, 1, size=size))
        assert found == expected, f"1,001 events read in pages of {size} must give the state of all events"
    found = outcome(verify_recovery_equivalent, disk, history[1:], history)
    assert found == expected, "a recovery over 1,001 events must be equal to a full replay"
