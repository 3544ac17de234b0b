# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # The permission that came back
#
# At 16:20 a reviewer took away an agent's permission to write to the repository. That was to be entry
# 2 of the agent's journal, and for that minute the disk was full. At 16:31 the worker was restarted, read entries 1 and 3, and
# pushed to the main branch.
#
# Nobody had given the permission back. The worker worked out where it stood from a history with a hole in
# it, and a hole looks exactly like nothing having happened.
#
# **What state is a run in when part of its history is missing?** That is the question of this stage.

# %%
from forge.course import open_stage

stage = open_stage("01_state_and_events")

# %% [markdown]
# ## Predict
#
# Choose before you read on. Your choice is kept, and the reasons for every option appear once you have made
# it.

# %%
### BEGIN SOLUTION
#| stage.predict()
stage.predict("b")
### END SOLUTION

# %% [markdown]
# ## Concept
#
# ### What it is
#
# An **event** is one thing that happened to a run. Its **sequence** says which number it is, its
# **payload** says with what details, and the **journal** of the run keeps them all. An event is written once and never
# changes.

# %%
from forge.state import RunEvent

revoked = RunEvent(
    event_id="e3",
    run_id="run-1",
    sequence=3,
    kind="write_permission_revoked",
    payload={"by": "reviewer"},
)

try:
    revoked.payload["by"] = "nobody"
except TypeError as error:
    print(error)

# %% [markdown]
# The **state** of a run is where it stands now: its status, its step, what it may do. It is worked out from
# the events by a **reducer**, a function that takes a state and an event and gives the next state, and does
# nothing else. Here it is `apply_event`; given the same events it gives the same state, today and in a
# year.
#
# ```mermaid
# stateDiagram-v2
#     accTitle: The transitions of a run
#     accDescr: A run is created, then running from its first step on, and ends completed or failed.
#     direction LR
#     state "accepts events" as open {
#         direction LR
#         [*] --> created: run_created
#         created --> running: step_started
#         running --> running: step_started
#     }
#     open --> completed: run_completed
#     open --> failed: run_failed
# ```
#
# A run is created once, works step by step, and ends completed or failed; a revocation changes what it may
# do and not where it stands.

# %% [markdown]
# ### What it is not
#
# A state is not the history. It holds one step, however many there were, and it cannot tell you how it came
# about.
#
# A state is not the source of anything either. Throw it away, and the events give it back.
#
# An event is not a note that can be put right. If it was wrong, another event says so, and both stay.

# %% [markdown]
# ### How it relates to its neighbours
#
# Each kind of event is one transition: `run_created` makes the first state, `step_started` moves the run to
# a step, `write_permission_revoked` takes a permission away. `run_completed` and `run_failed` make the run
# **terminal**: no event can follow.
#
# The state's `version` is the sequence of the last event it has seen. This number ties the two together.
#
# A session holds several runs (stage 2). A checkpoint keeps a state so that a replay need not begin at
# event 1 (stage 3). A memory outlives the run (stage 5), and a context is what one call of the model gets
# to see (stage 6).
#
# **Boundary.** When the sequence has a gap, or the run has ended, the event is refused. The reducer repairs
# nothing and ignores nothing.

# %% [markdown]
# ## Worked example
#
# The run of this stage adds a feature to a front-end repository. It is created, begins to inspect the code,
# and loses its permission to write.
#
# **1.** Write down what happened, as three events.


# %%
def event(sequence, kind, **payload):
    return RunEvent(
        event_id=f"e{sequence}",
        run_id="run-1",
        sequence=sequence,
        kind=kind,
        payload=payload,
    )


events = [
    event(1, "run_created"),
    event(2, "step_started", step="inspect"),
    event(3, "write_permission_revoked"),
]

# %% [markdown]
# **2.** Reduce them to a state.

# %%
from forge.state import reduce_events

state = reduce_events(events)
state.model_dump(mode="json")

# %% [markdown]
# **3.** Follow the state through the run. There is one after every event.

# %%
for length in (1, 2, 3):
    then = reduce_events(events[:length])
    print(then.version, then.status, then.current_step, then.write_allowed)

# %% [markdown]
# **4.** Throw the state away and work it out again.

# %%
print(reduce_events(events) == state)

# %% [markdown]
# `reduce_events` hands the events to `apply_event`, one at a time. This is the real function; the lines
# that you write in this stage are folded away.

# %%
stage.source("forge.state.models:apply_event")

# %% [markdown]
# ### Why it is built this way
#
# The first event is special because it has no state to change: it makes one, with the run's id and with
# `write_allowed` true unless the event says otherwise. Every later event answers three questions before it
# changes anything: is it mine, is it next, am I still running?
#
# What an event changes is written in one place, its case. What every event changes, the version and the
# last event's id, is written once, in the last line: after event 3 the version is 3.
#
# A refusal leaves nothing half done. The state is frozen, so the reducer makes a new one or none.

# %%
completed = event(4, "run_completed")
late = event(5, "step_started", step="push")

try:
    reduce_events([*events, completed, late])
except ValueError as error:
    print(error)

# %% [markdown]
# The contract of this stage is a file of tests. They run here as they run in a terminal.

# %%
stage.tests()

# %% [markdown]
# ## Timeline
#
# The same run, to be walked through. A **prefix** is the first *n* events: prefix 2 is the run in the
# middle of its step, and prefix 0 is before anything happened. Move to one and read what changed there.

# %%
from forge.history import History
from forge.state import apply_event
from forge.state.marks import run_marks
from forge.timeline import Timeline

history = History(events, apply_event, marks=run_marks)
Timeline(history, title="run-1")

# %% [markdown]
# ## Guided exercise: reject a gap
#
# Below is `apply_event` with one question missing: is this event the next one? About 8 minutes.
#
# 1. Find the place: after the question whether the event belongs to this run, before the question whether
#    the run has ended.
# 2. Compare the event's sequence with what the state expects, and raise a `ValueError` that has the word
#    *contiguous* in it.
# 3. Run the cell. It checks your function with the tests of this stage.
#
# Done when `test_sequence_gaps_are_rejected` passes: an event too far ahead is refused, one that comes
# again, and one from before. Everything else the function promises still holds.

# %%
from forge.errors import EventRefused
from forge.state import EventKind, RunEvent, RunState, RunStatus
from forge.state.models import TERMINAL, create_run, payload_text


@stage.exercise("reject_a_gap")
def apply_event(state: RunState | None, event: RunEvent) -> RunState:
    """The state after one more event; before the first it is None."""
    here = f"event {event.sequence} of {event.run_id}"
    if state is None:
        return create_run(event)
    if event.run_id != state.run_id:
        raise EventRefused(
            "an event cannot be applied to a different run",
            f"{here} met a state of {state.run_id}.",
        )
    ### BEGIN SOLUTION
    #| # Is this event the next one? Ask here, in place of the line below.
    #| raise NotImplementedError("reject_a_gap")
    if event.sequence != state.version + 1:
        raise EventRefused(
            "event sequence must be contiguous",
            f"{here} follows event {state.version}, expected {state.version + 1}.",
            f"Read the log again from {state.version + 1}.",
        )
    ### END SOLUTION
    if state.status in TERMINAL:
        raise EventRefused(
            "a terminal run cannot accept more events",
            f"{here} comes after the run {state.status}.",
        )
    match event.kind:
        case EventKind.RUN_CREATED:
            raise EventRefused("a run can only be created once", f"{here} creates it again.")
        case EventKind.STEP_STARTED:
            step = payload_text(event, "step", "step_started requires a non-empty step")
            change = {"status": RunStatus.RUNNING, "current_step": step}
        case EventKind.WRITE_PERMISSION_REVOKED:
            change = {"write_allowed": False}
        case EventKind.RUN_COMPLETED:
            change = {"status": RunStatus.COMPLETED, "current_step": None}
        case EventKind.RUN_FAILED:
            reason = payload_text(event, "reason", "run_failed requires a reason")
            ended = {"status": RunStatus.FAILED, "current_step": None}
            change = {**ended, "failure_reason": reason}
    seen = {"version": event.sequence, "last_event_id": event.event_id}
    return state.model_copy(update={**change, **seen})


# %%
# Stuck? One hint opens at a time, and none of them is the line.
stage.hint("reject_a_gap")

# %% [markdown]
# ## Fault lab: the gap that nobody refused
#
# Your check keeps a promise. This lab takes it out of forge again and lets you see what the promise was
# worth.
#
# **Before you run it.** A journal holds event 1, `run_created`, and event 3, `write_permission_revoked`.
# The faulty reducer reads it. What does the state say?
#
# - a. Version 2: two events were applied.
# - b. Version 3, and the run may not write.
# - c. Nothing: there is an error.

# %%
stage.inject("sequence_gap")

# %% [markdown]
# It is *b*, and that is what makes the fault hard to see: the state looks like one that has seen
# everything. Here it lost an event that did not matter. At 16:31 it lost the one that did.
#
# Follow the diagnosis, then mend the function. You have written the line before; this time the way to it is
# what counts.

# %%
stage.repair("sequence_gap")

# %% [markdown]
# **Debrief.** Before an event changes anything, ask whether it is the next one. The question comes after
# the one about the run, because the numbers of two runs cannot be compared. It comes before the one about
# the end, because behind a gap nobody knows what the end was.

# %% [markdown]
# ## Fault lab: ten comes before two
#
# This one happened to users of a real library. Their newest entry was the tenth, and they kept getting the
# second.
#
# **Before you run it.** `reduce_events` now sorts the events by their ids, e1 to e11, before it applies
# them. Which event does the reducer meet after e1?
#
# - a. e2.
# - b. e10.
# - c. e11.

# %%
stage.inject("text_order")

# %% [markdown]
# It is *b*: ids are text, and text is compared letter by letter. Look at who noticed. The sort raised no
# error; the check you wrote did, at the first event out of order.

# %%
stage.repair("text_order")

# %% [markdown]
# **Debrief.** Order comes from the sequence, which is a whole number, and from nothing else. An id names an
# event. A clock can give two events the same instant, and text puts 10 before 2.

# %% [markdown]
# ## Transfer challenge: the brief
#
# Another agent, in an office. It is asked for a brief on a topic: its run is created (1), it starts to
# retrieve documents (2), it loses its permission to write (3), and it starts the step `generate_brief` (4).
#
# Write the four events, rebuild the state with `reduce_events`, assert what must be true of it, and return
# it. The permission is gone, the step is `generate_brief`, and the run is running.
#
# Your function is checked twice. It must be right on forge as it is, and it must *notice*: it is run again
# on three broken editions of forge, and each time one of your assertions has to fail.

# %%
from forge.state import RunEvent, RunState, RunStatus, reduce_events


@stage.transfer("office_brief")
def office_brief() -> RunState:
    """Rebuild the run that wrote a brief, check it, and return its state."""

    ### BEGIN SOLUTION
    def event(sequence, kind, **payload):
        return RunEvent(
            event_id=f"brief-{sequence}",
            run_id="brief",
            sequence=sequence,
            kind=kind,
            payload=payload,
        )

    story = [
        event(1, "run_created"),
        event(2, "step_started", step="retrieve_documents"),
        event(3, "write_permission_revoked"),
        event(4, "step_started", step="generate_brief"),
    ]
    state = reduce_events(story)
    assert state.write_allowed is False
    assert state.current_step == "generate_brief"
    assert state.status is RunStatus.RUNNING
    return state
    ### END SOLUTION


# %%
stage.hint("office_brief")

# %% [markdown]
# ## Explain
#
# In your own words: **why must the sequence of events be contiguous? And when a run has completed, why can
# it not accept one more event?** Write between the quotes and run the cell. Then you see what a strong
# answer contains, and mark your own.

# %%
explanation = """
### BEGIN SOLUTION
#|
Every event changes the state that the one before it left. If one is missing,
nobody knows what it changed, so the state after the gap is a guess, and a
guess about a permission is dangerous. A completed run is final: others have
read its result and acted on it. If it took one more step it would be
completed and running at once.
### END SOLUTION
"""
### BEGIN SOLUTION
#| stage.explain(explanation)
stage.explain(explanation, covered=(1, 2))
### END SOLUTION

# %% [markdown]
# ## Mastery
#
# You have shown this stage when your function passes the tests of the gap, of the end of a run and of the
# state that is always the same, when you can tell state from event, and when you can
# say why a sequence has no gaps and an end is an end. The cell reads your evidence and writes it down.

# %%
stage.mastery()

# %% [markdown] jp-MarkdownHeadingCollapsed=true
# ## More practice
#
# Five more faults, all of kinds that people have met in real systems. About 35 minutes for all of them;
# every one stands on its own.

# %% [markdown]
# ### The reason that changed overnight
#
# **Before you run it.** The reducer now adds the day to the reason of a failed run. A run fails on Monday,
# and on Tuesday somebody replays its journal. Which day does the state name?
#
# - a. Monday.
# - b. Tuesday.
# - c. It depends on the time zone.

# %%
stage.inject("clock_in_the_reducer")

# %% [markdown]
# It is *b*. The journal has not changed, and the state has.

# %%
stage.repair("clock_in_the_reducer")

# %% [markdown]
# **Debrief.** A reducer takes everything from the state and the event. A time, a random number or a fresh
# id is decided once, by whoever writes the event, and stands in the event from then on.

# %% [markdown]
# ### The worker that was killed in a step
#
# **Before you run it.** A worker is killed while it drafts, and its journal ends with `step_started`. The
# reducer wants to see what followed each step. What does the next worker get?
#
# - a. The state in the middle of the step.
# - b. The state before the step.
# - c. An error.

# %%
stage.inject("mid_step_prefix")

# %% [markdown]
# It is *c*. The runs that can be replayed are now the ones that did not need it.

# %%
stage.repair("mid_step_prefix")

# %% [markdown]
# **Debrief.** Every prefix of a history is a history. Whether a run stopped in a good place is a question
# about the state, for whoever reads it.

# %% [markdown]
# ### The form that said "false"
#
# **Before you run it.** The payload of a `run_created` says `{"write_allowed": "false"}`. May the run
# write?
#
# - a. No: the text says false.
# - b. Yes.
# - c. There is an error.

# %%
stage.inject("flag_as_text")

# %% [markdown]
# It is *b*. To `bool`, text is true unless it is empty.

# %%
stage.repair("flag_as_text")

# %% [markdown]
# **Debrief.** A permission is true or false, or it is refused. A conversion that always succeeds never
# asks, and for a permission the wrong guess is the dangerous one.

# %% [markdown]
# ### The writer that knew too much
#
# Forge writes a journal through a log, and the log asks each writer how many records it has seen.
#
# **Before you run it.** The log holds two records, and a writer says that it has seen five. The faulty log
# refuses writers that have seen too little. What does this one get?
#
# - a. An error: it is stale.
# - b. An error: there is a gap.
# - c. Its record is appended.

# %%
stage.inject("beyond_the_head")

# %% [markdown]
# It is *c*. The log now holds a record whose writer was looking at another log.

# %%
stage.repair("beyond_the_head")

# %% [markdown]
# **Debrief.** A writer names the position it believes in, and any other position is a conflict. Too few and
# too many are two errors because they have two cures: read on, or find out which log this is.

# %% [markdown]
# ### The key that came back as text
#
# **Before you run it.** The payload of an event is copied with `json.loads(json.dumps(value))`. What comes
# back for `{1: "a"}`, and what for `(1, 2)`?
#
# - a. The same.
# - b. `{"1": "a"}` and `[1, 2]`.
# - c. An error for both.

# %%
stage.inject("keys_change_in_json")

# %% [markdown]
# It is *b*. Whoever looks for the key 1 in a year does not find it.

# %%
stage.repair("keys_change_in_json")

# %% [markdown]
# **Debrief.** A value that would come back different is refused where it is made, with the path that leads
# to it. The writer is there and can mend it; years later there is only a reader, who cannot know.
