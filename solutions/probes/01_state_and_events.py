# %% [markdown]
# Stage 1: the inputs that answers are graded on. A cell tagged `kernel` is sent to the kernel that runs the
# answers: it tells how an answer is run on one input, and no more. Every other cell stays with the grader.

# %% tags=["kernel"]
import contextlib
import math

from forge.chain import FrozenDict
from forge.errors import SequenceGap, StaleWriter
from forge.grading.inside.outcomes import outcome, scene
from forge.state import RunEvent, RunState

WORDS = (
    "contiguous",
    "different run",
    "a terminal run",
    "created once",
    "non-empty step",
    "requires a reason",
    "write_allowed",
    "the first event must create the run at sequence 1",
    "at least one event",
)


def state_of(given):
    return None if given is None else RunState(**given)


def shown(state):
    return state.model_dump(mode="json") if isinstance(state, RunState) else f"a {type(state).__name__}"


def reject_a_gap(apply_event, given):
    state, event = state_of(given["state"]), RunEvent(**given["event"])
    return [outcome(lambda: shown(apply_event(state, event)), words=WORDS), state and shown(state)]


def text_order(reduce_events, given):
    events = [RunEvent(**event) for event in given["events"]]
    return outcome(lambda: shown(reduce_events(events, state_of(given["initial"]))), words=WORDS)


def flag_as_text(create_run, given):
    return outcome(lambda: shown(create_run(RunEvent(**given))), words=WORDS)


def beyond_the_head(require_position, given):
    from pathlib import Path

    kinds = (StaleWriter, SequenceGap)
    return outcome(
        lambda: require_position(given["count"], given["expected"], Path("run.jsonl")), kinds=kinds
    )


def keys_change_in_json(freeze, given):
    value = eval(given["literal"], {"nan": math.nan, "inf": math.inf, "FrozenDict": FrozenDict})

    def kept():
        frozen = freeze(value, "payload")
        before = repr(frozen)
        pending = [frozen]
        while pending:
            part = pending.pop()
            pending += part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
            for name in ("clear", "popitem", "pop", "sort", "reverse"):
                with contextlib.suppress(TypeError, AttributeError, IndexError, KeyError):
                    getattr(part, name)()
        return {"value": frozen, "unchanged": repr(frozen) == before}

    return outcome(kept, words=given["paths"])


def office_brief(answer, given):
    fields = ("status", "version", "current_step", "write_allowed")
    return scene(answer, given, lambda state: {field: shown(state)[field] for field in fields})


sequence_gap = reject_a_gap
clock_in_the_reducer = mid_step_prefix = text_order

# %%
from forge.grading.stripped import changed, faulty, in_other_words, reference

STEM = "01_state_and_events"
APPLY, REDUCE = "forge.state.models:apply_event", "forge.state.models:reduce_events"
NAMES = ("inspect", "draft", "collect sources", "review", "publish", "index", "translate", "measure")
REASONS = ("disk full", "no route to host", "quota used up", "cancelled by a reviewer")


def an_event(rng, run_id, sequence, kind, **payload):
    event_id = f"{rng.choice(('e', 'ev-', 'x'))}{rng.randrange(10_000)}"
    return {"event_id": event_id, "run_id": run_id, "sequence": sequence, "kind": kind, "payload": payload}


def a_state(rng, status="running", **more):
    step = rng.choice(NAMES) if status == "running" else None
    return {
        "run_id": f"run-{rng.randrange(100, 999)}",
        "status": status,
        "version": rng.randrange(5, 400),
        "last_event_id": f"e{rng.randrange(9_999)}",
        "current_step": step,
        "write_allowed": rng.random() < 0.5,
        **more,
    }


# %% [markdown]
# `apply_event`: one event on one state.


# %%
def of_apply_event(rng):
    def case(state, kind, distance, run_id=None, **payload):
        if state is None:
            return {"state": None, "event": an_event(rng, "run-1", distance, kind, **payload)}
        sequence = state["version"] + distance
        return {"state": state, "event": an_event(rng, run_id or state["run_id"], sequence, kind, **payload)}

    ended = a_state(rng, "completed")
    failed = a_state(rng, "failed", failure_reason=rng.choice(REASONS))
    running = [a_state(rng) for _ in range(12)]
    running[0]["version"], running[1]["version"] = rng.randrange(300, 400), 10 * rng.randrange(4, 20) - 1
    yield "the next step is applied", case(running[0], "step_started", 1, step=f" {rng.choice(NAMES)} ")
    yield "the next revocation is applied", case(running[1], "write_permission_revoked", 1)
    yield "the next event may complete the run", case(running[2], "run_completed", 1)
    yield "the next event may fail the run", case(running[3], "run_failed", 1, reason=rng.choice(REASONS))
    yield "an event one too far is refused", case(running[4], "write_permission_revoked", 2)
    yield "an event far ahead is refused", case(running[5], "step_started", rng.randrange(3, 60), step="x")
    yield "an event that comes again is refused", case(running[6], "write_permission_revoked", 0)
    yield "the event before the last is refused", case(running[7], "run_completed", -1)
    yield "an event from long before is refused", case(running[11], "run_completed", -rng.randrange(2, 5))
    yield "after the end, a gap is named first", case(ended, "step_started", rng.randrange(2, 9), step="late")
    yield "after the end, the next event is refused", case(failed, "write_permission_revoked", 1)
    yield "an event of another run is named first", case(running[8], "run_completed", 7, run_id="run-1")
    yield "a step needs a name", case(running[9], "step_started", 1, step=" ")
    yield "the first event creates the run", case(None, "run_created", 1, write_allowed=False)
    yield (
        "a run does not begin with a permission in words",
        case(None, "run_created", 1, write_allowed="false"),
    )
    yield "a run does not begin in the middle", case(None, "run_created", rng.randrange(2, 9))
    yield "a run is created once", case(running[10], "run_created", 1)


# %% [markdown]
# `reduce_events`: a whole history. Its order is its sequence, and its ids say nothing about it.


# %%
def a_history(rng, length, end=None):
    """Events 1 to `length`, with an end if one is named."""
    run_id = f"run-{rng.randrange(100, 999)}"
    events = [an_event(rng, run_id, 1, "run_created", **rng.choice(({}, {"write_allowed": False})))]
    for sequence in range(2, length + 1):
        kind = "write_permission_revoked" if rng.random() < 0.2 else "step_started"
        payload = {"step": rng.choice(NAMES)} if kind == "step_started" else {}
        events.append(an_event(rng, run_id, sequence, kind, **payload))
    for event, number in zip(events, rng.sample(range(10, 99), length), strict=True):
        event["event_id"] = f"e{number}"
    if end:
        payload = {"reason": rng.choice(REASONS)} if end == "run_failed" else {}
        events[-1] = an_event(rng, run_id, length, end, **payload)
    return events


def of_reduce_events(rng):
    def case(events, initial=None):
        return {"events": events, "initial": initial}

    numbered = a_history(rng, 12)
    for number, event in enumerate(numbered, start=1):
        event["event_id"] = f"e{number}"
    in_a_step = a_history(rng, rng.randrange(4, 8))
    in_a_step[-1] = an_event(
        rng, in_a_step[0]["run_id"], len(in_a_step), "step_started", step=rng.choice(NAMES)
    )
    running = a_state(rng)
    onward = [
        an_event(rng, running["run_id"], running["version"] + n, "step_started", step="on") for n in (1, 2)
    ]
    gap = a_history(rng, 9)
    del gap[rng.randrange(3, 7)]
    late = [*a_history(rng, 5, "run_completed")]
    late.append(an_event(rng, late[0]["run_id"], 6, "step_started", step="late"))
    yield "twelve events are applied in the order of their sequence", case(numbered)
    yield "ids that say nothing about the order do not change it", case(a_history(rng, 10))
    yield "a failed run has the reason that its event gives", case(a_history(rng, 6, "run_failed"))
    yield "a history may end in the middle of a step", case(in_a_step)
    yield "one event is a history", case(a_history(rng, 1))
    yield "a replay goes on from a state, and may end in a step", case(onward, running)
    yield "a history with a gap is refused", case(gap)
    yield "no events are refused", case([])
    yield "an event after the end is refused", case(late)
    yield "a replay does not go on behind a gap", case(onward[1:], running)


def of_failed_runs(rng):
    for length in rng.sample(range(3, 30), 3):
        yield (
            f"a run that failed at event {length} keeps its reason",
            {
                "events": a_history(rng, length, "run_failed"),
                "initial": None,
            },
        )
    yield from of_reduce_events(rng)


# %%
def of_create_run(rng):
    def case(sequence=1, kind="run_created", **payload):
        return an_event(rng, f"run-{rng.randrange(999)}", sequence, kind, **payload)

    yield "a run may write by default", case()
    yield "a permission that is true is kept", case(write_allowed=True)
    yield "a permission that is false is kept", case(write_allowed=False)
    yield "other facts in the payload change nothing", case(by=rng.choice(NAMES), write_allowed=False)
    for flag in ("false", rng.choice(("true", "no", "yes", "False")), "", 0, 1, None):
        yield f"the permission {flag!r} is refused", case(write_allowed=flag)
    yield "a run does not begin later", case(sequence=rng.randrange(2, 9))
    yield "a run does not begin with a step", case(kind="step_started", step="x")


# %%
def of_require_position(rng):
    count = rng.randrange(20, 200)
    yield "a writer that has seen every record may write", {"count": count, "expected": count}
    yield "a writer that names no position may write", {"count": count, "expected": None}
    yield "the first writer of an empty log may write", {"count": 0, "expected": 0}
    yield "a writer that missed one record is stale", {"count": count, "expected": count - 1}
    yield "a writer that missed many is stale", {"count": count, "expected": rng.randrange(count - 9)}
    yield "a writer that is one ahead meets a gap", {"count": count, "expected": count + 1}
    yield "a writer far ahead meets a gap", {"count": count, "expected": count + rng.randrange(2, 99)}
    yield "a writer ahead of an empty log meets a gap", {"count": 0, "expected": rng.randrange(1, 9)}


# %%
def of_freeze(rng):
    name, other = rng.sample(("files", "notes", "parts", "sizes", "marks"), 2)
    number = rng.randrange(2, 1_000)
    paths = ["payload", f"payload.{name}", f"payload.{name}[1]", f"payload.{name}.{other}"]
    paths += [f"payload.{other}[0].{name}"]

    def case(literal):
        return {"literal": literal, "paths": paths}

    yield "a plain mapping is kept", case(f"{{'{name}': ['a.txt', {{'{other}': {number}.5}}], 'new': True}}")
    yield "nothing is kept", case(f"{{'{name}': None, '{other}': ''}}")
    yield "lists in lists are kept", case(f"[[{number}, []], [{{'{name}': -{number}}}]]")
    yield "the largest number is kept", case(f"{{'{name}': {2**53 - 1}}}")
    yield "what is frozen is kept", case(f"{{'{name}': FrozenDict({{'{other}': {number}}})}}")
    yield "a key that is a number is refused", case(f"{{{number}: 'a'}}")
    yield "a key below that is no text is refused", case(f"{{'{name}': {{True: 'yes'}}}}")
    yield "two keys that JSON makes one are refused", case(f"{{'{name}': {{'{number}': 1, {number}: 2}}}}")
    yield "a tuple is refused", case(f"{{'{name}': (1, {number})}}")
    yield "not a number is refused", case(f"{{'{name}': [0.5, nan]}}")
    yield "infinity is refused, deep down", case(f"{{'{other}': [{{'{name}': -inf}}]}}")
    yield "a number beyond the largest is refused", case(f"{{'{name}': {2**53 + number}}}")
    yield "a set is refused", case(f"{{'{name}': {{1, 2}}}}")


# %% [markdown]
# The transfer is run on editions of forge: right ones, written in other ways, and broken ones.


# %%
def of_office_brief(rng):
    apply_event, reduce_events = reference(APPLY), reference(REDUCE)

    yield "forge as it is", {APPLY: apply_event, REDUCE: reduce_events}
    yield "forge with a reducer in other words", {APPLY: in_other_words(apply_event, rng)}
    yield "forge with a replay in other words", {REDUCE: in_other_words(reduce_events, rng)}
    for name in ("revocation_forgotten", "step_never_moves", "status_stays_created"):
        yield f"a forge where {name.replace('_', ' ')} is noticed", faulty(STEM, name)
    given = '"write_allowed": False}'
    yield (
        "a forge where a revocation gives permission is noticed",
        changed(APPLY, given, '"write_allowed": True}'),
    )
    lost = changed(APPLY, '"current_step": step}', '"current_step": step.partition("_")[0]}')
    yield "a forge where a step loses its name is noticed", lost
    still = changed(APPLY, '"status": RunStatus.RUNNING, ', "")
    yield "a forge where a run never runs is noticed", still


# %% [markdown]
# In the order in which they are judged: a function before those that call it.

# %%
PROBES = {
    "keys_change_in_json": of_freeze,
    "beyond_the_head": of_require_position,
    "flag_as_text": of_create_run,
    "reject_a_gap": of_apply_event,
    "sequence_gap": of_apply_event,
    "text_order": of_reduce_events,
    "clock_in_the_reducer": of_failed_runs,
    "mid_step_prefix": of_reduce_events,
    "office_brief": of_office_brief,
}
