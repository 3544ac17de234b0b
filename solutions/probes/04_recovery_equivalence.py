# %% [markdown]
# Stage 4: the inputs that answers are graded on. How the cells of this file are used says stage 1's.

# %% tags=["kernel"]
from pathlib import Path

from forge.errors import RecoveryMismatch, TailGap
from forge.fakes import FakeDisk
from forge.grading.inside.outcomes import outcome, scene
from forge.log import Anchor
from forge.state.checkpoint import load_checkpoint, save_checkpoint
from forge.state.models import RunEvent, RunState

PATH = Path("runs/run.json")
WORDS = (
    "tail events must continue immediately after the checkpoint",
    "contiguous",
    "differs from full event replay",
    "checkpoint is ahead of the log",
    "does not match the anchor",
    "checkpoint is of another run",
    "different run",
)


def events_of(given):
    return [RunEvent(**event) for event in given]


def anchor_of(given):
    return given and Anchor(**given)


def shown(value):
    return value.model_dump(mode="json") if isinstance(value, RunState) else f"a {type(value).__name__}"


def checkpoint(given):
    disk = FakeDisk()
    save_checkpoint(PATH, RunState(**given["state"]), anchor=anchor_of(given["anchor"]), disk=disk)
    return disk


def tail_in_pages(tail_from_pages, given):
    events = events_of(given["events"])
    asked = []

    def read_page(start, limit):
        asked.append(limit)
        assert len(asked) <= 2 * len(events), "a tail must come to an end"
        start = {"repeats": max(start - 1, 1), "skips": start + (start == given["at"]), "restarts": 1}.get(
            given["store"], start
        )
        return events[start - 1 : start - 1 + min(limit, given["most"])]

    def read():
        found = tail_from_pages(read_page, given["version"], size=given["size"])
        return [[one.sequence for one in found], max(asked) <= given["size"]]

    return outcome(read, kinds=(TailGap,))


def checkpoint_ahead(require_not_ahead, given):
    return outcome(lambda: require_not_ahead(RunState(**given["state"]), given["count"]), words=WORDS)


def same_length(require_anchor, given):
    history = events_of(given["history"])
    return outcome(lambda: require_anchor(anchor_of(given["anchor"]), history), words=WORDS)


def first_difference(parting, given):
    def found():
        where = parting(RunState(**given["state"]), events_of(given["tail"]), events_of(given["history"]))
        return where and [where.sequence, [difference.field for difference in where.differences]]

    return outcome(found)


def made_to_fit(recover_state, given):
    disk = checkpoint(given)
    return outcome(lambda: shown(recover_state(PATH, events_of(given["tail"]), disk=disk)), words=WORDS)


def compare_with_replay(verify_recovery_equivalent, given):
    disk, seen = checkpoint(given), []

    def verify():
        try:
            tail, history = events_of(given["tail"]), events_of(given["history"])
            return shown(verify_recovery_equivalent(PATH, tail, history, disk=disk))
        except RecoveryMismatch as error:
            evidence = error.evidence
            seen.append([evidence.get("sequence"), [str(one) for one in evidence.get("differences", ())]])
            raise

    return [outcome(verify, words=WORDS, kinds=(RecoveryMismatch, ValueError)), seen]


def decision_brief(answer, given):
    def told(error):
        files = sorted(path for path in Path.cwd().rglob("*") if path.is_file())
        states = [shown(load_checkpoint(path).state) for path in files]
        steps = {one.field: one.replayed for one in error.evidence.get("differences", ())}
        kept = [[state["version"], state["current_step"]] for state in states]
        return [type(error).__name__, kept, error.evidence.get("sequence"), steps.get("current_step")]

    return scene(answer, given, told)


no_full_replay = compare_with_replay
short_page = tail_in_pages

# %%
from forge.grading.stripped import changed, faulty, in_other_words, reference
from forge.state.models import reduce_events
from forge.state.recovery import chain_head

STEM = "04_recovery_equivalence"
VERIFY = "forge.state.recovery:verify_recovery_equivalent"
PARTING = "forge.state.mismatch:parting"
STEPS = ("inspect", "draft", "collect sources", "review", "publish", "index", "translate", "measure")


def an_event(run_id, sequence, kind, **payload):
    return {
        "event_id": f"e{sequence}",
        "run_id": run_id,
        "sequence": sequence,
        "kind": kind,
        "payload": payload,
    }


def a_history(rng, length, *, run_id=None):
    """A run of that many events, every step of another name, with one revocation in its middle."""
    run_id = run_id or f"run-{rng.randrange(100, 999)}"
    revoked = rng.randrange(3, max(4, length - 1))
    events = [an_event(run_id, 1, "run_created")]
    for sequence in range(2, length + 1):
        if sequence == revoked:
            events.append(an_event(run_id, sequence, "write_permission_revoked"))
        else:
            events.append(an_event(run_id, sequence, "step_started", step=f"{rng.choice(STEPS)} {sequence}"))
    return events


def state_after(events, **change):
    return {**reduce_events(events_of(events)).model_dump(mode="json"), **change}


def anchored(events):
    return {"count": len(events), "head": chain_head(events_of(events))}


def a_case(history, count, last, *, state=None, anchor=None, first=None):
    """A checkpoint after `count` events, with a tail that ends with event `last`."""
    return {
        "state": state or state_after(history[:count]),
        "anchor": anchor,
        "tail": history[count if first is None else first - 1 : last],
        "history": history,
    }


# %%
def of_tail_from_pages(rng):
    length = rng.randrange(7, 15)
    events = a_history(rng, length)

    def case(version, size, *, most=5_000, store="whole", at=0):
        return {"events": events, "version": version, "size": size, "most": most, "store": store, "at": at}

    for size in (1, 2, 3, rng.randrange(4, 7), 100):
        yield f"pages of {size} give every event once", case(rng.randrange(1, 5), size)
    yield "a full page may be the last one", case(length - 4, 4)
    yield "after the last event there is nothing", case(length, 3)
    for most in (1, 2, 3):
        yield "a page that is short is not the last", case(rng.randrange(1, 4), 5, most=most)
    yield "a store that repeats an event is refused", case(3, 2, store="repeats")
    yield "a store that leaves out an event is refused", case(2, 2, store="skips", at=5)
    yield "a store that always begins at the beginning is refused", case(2, 2, store="restarts")


def of_require_not_ahead(rng):
    history = a_history(rng, 9)
    count = rng.randrange(4, 8)
    yield "a state at the end of the log is accepted", {"state": state_after(history[:count]), "count": count}
    yield "a state behind the end is accepted", {"state": state_after(history[:count]), "count": count + 1}
    yield "a state far behind the end is accepted", {"state": state_after(history[:2]), "count": 900}
    yield "a state one ahead is refused", {"state": state_after(history[:count]), "count": count - 1}
    yield "a state two ahead is refused", {"state": state_after(history[:count]), "count": count - 2}
    yield "a state far ahead is refused", {"state": state_after(history), "count": 1}
    yield "a state ahead of an empty log is refused", {"state": state_after(history[:3]), "count": 0}


def of_require_anchor(rng):
    length = rng.randrange(8, 14)
    history = a_history(rng, length)
    count = rng.randrange(3, length - 2)

    def case(anchor, events):
        return {"anchor": anchor, "history": events}

    def rewritten(place):
        events = list(history)
        events[place] = {**events[place], "event_id": "another"}
        return events

    for kept in (count, length, 1):
        yield (
            f"a history that begins with what is remembered of {kept} is accepted",
            case(anchored(history[:kept]), history),
        )
    yield "what came after is not remembered", case(anchored(history[:count]), rewritten(length - 1))
    yield "a first event that was rewritten is noticed", case(anchored(history[:count]), rewritten(0))
    yield (
        "an event in the middle that was rewritten is noticed",
        case(anchored(history[:count]), rewritten(rng.randrange(1, count - 1))),
    )
    yield (
        "the last remembered event, rewritten, is noticed",
        case(anchored(history[:count]), rewritten(count - 1)),
    )
    for other in (count - 1, count + 1):
        yield (
            "the hash of another count is noticed",
            case({**anchored(history[:count]), "count": other}, history),
        )
    yield "a history that is too short is noticed", case(anchored(history), history[:count])
    yield "a history that lacks one event is noticed", case(anchored(history), history[:-1])


def of_parting(rng):
    length = rng.randrange(7, 11)
    history = a_history(rng, length)
    count = rng.randrange(2, 5)

    def case(tail, events=history, state=None):
        return {"state": state or state_after(history[:count]), "tail": tail, "history": events}

    yield "a tail that is whole never parts", case(history[count:])
    yield "a checkpoint at the end with no tail never parts", case([], state=state_after(history))
    for last in sorted({count, count + 1, length - 1}):
        yield f"the first event that a tail lacks is found, at {last}", case(history[count:last])
    yield "the first event too many is found", case(history[count:], history[: length - 1])
    yield "several events too many part at the first", case(history[count:], history[: length - 2])
    other = list(history)
    other[count] = an_event(history[0]["run_id"], count + 1, "step_started", step="look around")
    yield "an event that another makes good is found all the same", case(other[count:])
    wrong = state_after(history[:count], current_step="look around")
    yield "a checkpoint that is wrong is found before its tail", case(history[count:], state=wrong)
    flag = state_after(history[:count])
    flag["write_allowed"] = not flag["write_allowed"]
    yield "a wrong permission in a checkpoint is found", case(history[count:], state=flag)


def of_recover_state(rng):
    length = rng.randrange(8, 12)
    history = a_history(rng, length)
    count = rng.randrange(3, 6)
    for kept in (1, count, length - 1):
        yield (
            f"a checkpoint after event {kept} and its tail give the last state",
            a_case(history, kept, length),
        )
    yield "without a tail the state is the checkpoint's own", a_case(history, count, count)
    yield "one event is a tail", a_case(history, count, count + 1)
    yield "an event that comes again is refused", a_case(history, count, length, first=count)
    yield "a tail from the beginning is refused", a_case(history, count, length, first=1)
    yield "a tail that starts one too late is refused", a_case(history, count, length, first=count + 2)
    yield "a tail that starts far too late is refused", a_case(history, count, length, first=length)
    hole = a_case(history, count, length)
    del hole["tail"][1]
    yield "a hole inside the tail is refused", hole
    other = a_history(rng, length, run_id="another")
    yield "a tail of another run is refused", {**a_case(history, count, length), "tail": other[count:]}


def of_verify(rng):
    length = rng.randrange(8, 12)
    history = a_history(rng, length)
    count = rng.randrange(3, 6)
    for kept in (1, count, length):
        yield (
            f"a checkpoint after event {kept} and its whole tail are accepted",
            a_case(history, kept, length),
        )
    remembered = a_case(history, count, length, anchor=anchored(history[:count]))
    yield "the history that the anchor remembers is accepted", remembered
    for last in sorted({count, count + 1, length - 1}):
        yield f"a tail that ends with event {last} is noticed", a_case(history, count, last)
    for field, value in {"failure_reason": "disk full", "current_step": "elsewhere"}.items():
        state = state_after(history[: length - 1], **{field: value})
        case = a_case(history, length - 1, length, state=state)
        yield f"a wrong {field} in a checkpoint is noticed or made good", case
    flag = state_after(history[:count])
    flag["write_allowed"] = not flag["write_allowed"]
    yield "a wrong permission in a checkpoint is looked at", a_case(history, count, length, state=flag)
    longer = a_case(history, count, length)
    longer["history"] = history[: length - 1]
    yield "a tail that is too long is noticed", longer
    ahead = a_case(history, count, count)
    ahead["history"] = history[: count - 1]
    yield "a checkpoint ahead of the log is refused", ahead
    rewritten = a_case(history, count, length, anchor=anchored(history[:count]))
    rewritten["history"] = [*history[:1], {**history[1], "event_id": "another"}, *history[2:]]
    yield "a history that was rewritten is refused", rewritten
    other = a_history(rng, count, run_id="another")
    yield "a checkpoint of another run is refused", a_case(history, count, length, state=state_after(other))
    late = a_case(history, count, length, first=count + 2)
    yield "a tail that starts too late is refused", late


def of_decision_brief(rng):
    yield "forge as it is", {VERIFY: reference(VERIFY), PARTING: reference(PARTING)}
    yield "forge with a check in other words", {VERIFY: in_other_words(reference(VERIFY), rng)}
    yield "forge with a parting in other words", {PARTING: in_other_words(reference(PARTING), rng)}
    yield "a forge to which shorter is enough is noticed", faulty(STEM, "shorter_is_enough")
    yield "a forge that is always alarmed is noticed", faulty(STEM, "always_alarmed")
    yield "a forge that names the boundary is noticed", faulty(STEM, "names_the_boundary")
    never = changed(VERIFY, "if recovered != replayed:", "if False:")
    yield "a forge that compares nothing is noticed", never
    stale = changed(VERIFY, "return recovered", "return checkpoint.state")
    yield "a forge that gives back the checkpoint is noticed", stale
    always = changed(VERIFY, "if recovered != replayed:", "if True:")
    yield "a forge that refuses everything is noticed", always
    behind = changed(PARTING, "return Parting(sequence, found)", "return Parting(sequence - 1, found)")
    yield "a forge that names the event before is noticed", behind


# %%
PROBES = {
    "tail_in_pages": of_tail_from_pages,
    "short_page": of_tail_from_pages,
    "checkpoint_ahead": of_require_not_ahead,
    "same_length": of_require_anchor,
    "first_difference": of_parting,
    "made_to_fit": of_recover_state,
    "compare_with_replay": of_verify,
    "no_full_replay": of_verify,
    "decision_brief": of_decision_brief,
}
