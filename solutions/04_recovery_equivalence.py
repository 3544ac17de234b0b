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
# # The report that was written twice
#
# At 05:10 a worker was moved to another machine in the middle of a run. Its checkpoint was from after event 2,
# and the journal held two more. The reader there handed over one of them, and the run went on.
#
# The reducer of [stage 1](01_state_and_events.ipynb) refuses a gap, the checkpoint of
# [stage 3](03_checkpoint_contract.ipynb) a changed byte. **How do you know that a recovered run stands where
# it stood?** That is the question of this stage, which builds on those two.

# %%
from forge.course import open_stage

stage = open_stage("04_recovery_equivalence")

# %% [markdown]
# ## Predict
#
# Choose before you read on. Your choice is kept, and then the reasons for every option appear.

# %%
### BEGIN SOLUTION
#| stage.predict()
stage.predict("c")
### END SOLUTION

# %% [markdown]
# At 05:12 the agent wrote a report that it had sent an hour before. A gap is noticed because something comes
# after it, and behind an end that comes too early there is nothing.

# %% [markdown]
# ## Concept
#
# ### What it is
#
# A **recovery** loads a checkpoint and applies the events after it, its **tail**. A **full replay** applies
# every event and needs no checkpoint. The two are **equivalent** when they end in the same state.
#
# ```mermaid
# flowchart LR
#     accTitle: Two ways from the journal to the state of a run
#     accDescr: A recovery takes checkpoint and tail, a full replay takes every event. Are the states equal?
#     journal[("journal<br/>events 1 to 4")] -- "1, 2" --> checkpoint["checkpoint<br/>version 2"]
#     checkpoint --> recovery["recovery"] --> same{"same<br/>state?"}
#     journal -- "tail: 3, 4" --> recovery
#     journal -- "1, 2, 3, 4" --> replay["full replay"] --> same
#     same -- yes --> on["✓ the run goes on"]
#     same -- no --> mismatch["✗ RecoveryMismatch"]
# ```
#
# Two ways lead from the journal to a state, and the short one is right when both arrive at the same place.

# %% [markdown]
# ### What it is not
#
# It is not the checksum of the checkpoint. That covers the bytes of one file, and says nothing about events
# that came later. Nor is it a comparison of versions. Two states can agree that they have seen four events
# and disagree about a permission, so every field is compared.
#
# It does not prove that the history is true. Both ways read the same journal, and if that was rewritten,
# they agree about something that never happened. What shows it is an **anchor**: a count and a hash that
# were kept outside the journal. The second fault lab needs one.

# %% [markdown]
# ### How it relates to its neighbours
#
# The checkpoint saves time, the reducer gives both ways the same rules, and the full replay says whether
# the short way was right. It costs what the checkpoint was there to save, so it is not made at every restart:
# it runs in tests, on a sample of runs, and before events are thrown away.
#
# Events are written before the checkpoint that has seen them. Then a crash in between leaves a checkpoint
# that is behind, and a tail makes up for that. One that is ahead has seen an event that is in no journal.
#
# **Boundary.** A recovery counts only when checkpoint and tail give exactly the state that a full replay
# gives. Anything else is a `RecoveryMismatch`, and the recovered state goes no further.

# %% [markdown]
# ## Worked example
#
# **1.** Write down the events of a run that adds a feature to a front-end repository: it is created, inspects
# the code, loses its permission to write, and starts its report.

# %%
from forge.state import RunEvent

story = [
    ("run_created", {}),
    ("step_started", {"step": "inspect"}),
    ("write_permission_revoked", {}),
    ("step_started", {"step": "report"}),
]
events = [
    RunEvent(event_id=f"e{n}", run_id="run-1", sequence=n, kind=kind, payload=payload)
    for n, (kind, payload) in enumerate(story, start=1)
]

# %% [markdown]
# **2.** Save a checkpoint after the second.

# %%
from pathlib import Path
from tempfile import TemporaryDirectory

from forge.state import reduce_events, save_checkpoint

folder = TemporaryDirectory()
checkpoint = Path(folder.name) / "run-1.json"
save_checkpoint(checkpoint, reduce_events(events[:2])).state.version

# %% [markdown]
# **3.** Go both ways. Then lose the last event, as the reader did, and compare.

# %%
from forge.state import recover_state

replayed = reduce_events(events)
recovered = recover_state(checkpoint, events[2:])
short = recover_state(checkpoint, events[2:3])
for state in (replayed, recovered, short):
    print(state.version, state.status, state.current_step, state.write_allowed)
print(recovered == replayed, short == replayed)

# %% [markdown]
# The third state can be true: it was, for a moment. Whoever gets it starts the report.
#
# **4.** Let forge make the comparison.

# %%
from forge.state import RecoveryMismatch, verify_recovery_equivalent

try:
    verify_recovery_equivalent(checkpoint, events[2:3], events)
except RecoveryMismatch as error:
    print(error.words)
    print("first at event", error.evidence["sequence"])
    for difference in error.evidence["differences"]:
        print("   ", difference)

# %% [markdown]
# **5.** Try the other end. A tail that begins too early or too late needs no comparison to be refused.

# %%
for first in (2, 4):
    try:
        recover_state(checkpoint, events[first - 1 :])
    except ValueError as error:
        print(error.words, error.facts, sep="\n    ")

# %% [markdown]
# These are the real functions. In the second one the lines that you write are folded away.

# %%
stage.source("forge.state.recovery:recover_state")

# %%
stage.source("forge.state.recovery:verify_recovery_equivalent")

# %% [markdown]
# ### Why it is built this way
#
# `recover_state` looks at one number only, where the tail begins. What lies behind is left to the reducer,
# which refuses a gap. Where the tail should end neither of them can know. So `verify_recovery_equivalent` is
# given the full history as well. It asks first whether the checkpoint belongs to this history at all: states
# of two runs would differ too, and the error would send you looking for an event.
#
# An error that says *different* leaves you with two states and a long night. So `parting` walks both ways
# event by event to where they part, and `mismatch` puts the place into the error. The tests run here too.

# %%
stage.tests()

# %% [markdown]
# ## Timeline
#
# Go to prefix 2, which the checkpoint holds, and then forward: what you pass is the tail.

# %%
from forge.history import History
from forge.state import apply_event, run_marks
from forge.timeline import Timeline


def marks(event, before, after):
    return ["◆ checkpoint"] * (event.sequence == 2) + run_marks(event, before, after)


history = History(events, apply_event, marks=marks)
Timeline(history, title="run-1")

# %% [markdown]
# One checkpoint was right. What about the others that could have been saved? A **recovery strip** saves one at
# every prefix, recovers from it, and compares with a full replay. Here is forge, and four ways to break it:
# - *lossy codec*: checkpoints are saved in a form from before there was a permission to write.
# - *tail off by one*: the tail begins with the event that the checkpoint has seen last.
# - *checkpoint ahead of the log*: each has seen one event more than the log holds at its place.
# - *reducer with hidden state*: it numbers the steps, *2. report*, and counts in a variable of its own. The
#   number is right where it counts from the first step on, or where no step is left to count.
#
# Each of the four is green somewhere, and a test that happens to save its checkpoint there is green with it.
# The figure opens at the first checkpoint that cannot be trusted; then put another name between the quotes.

# %%
from forge.figures.recovery import recovery_figure
from forge.recovery_cases import CASES, whole_codec
from forge.recovery_strip import recovery_strip

for name, case in {"as forge saves": whole_codec, **CASES}.items():
    strip = recovery_strip(history, 4, **case())
    print("".join("✓" if segment.holds else "✗" for segment in strip), name)
recovery_figure(history, 4, **CASES["lossy codec"]())

# %% [markdown]
# ## Guided exercise: compare with a full replay
#
# Below is `verify_recovery_equivalent` with two gaps, where it doubts the recovery. About 8 minutes.
#
# 1. At the first gap, work out the state that a full replay gives, and delete the `raise`.
# 2. At the second, compare it with the recovered one. When they differ, raise the error that `mismatch`
#    makes of what `parting` finds; `parting` takes the state of the checkpoint, the tail and the history.
# 3. Run the cell. The tests keep their files in memory: hand `disk` on to whatever loads a checkpoint.
#
# Done when `test_missing_tail_event_is_detected_by_equivalence_check` passes: a tail that ends too early is
# refused, and the event that it lacks is named. A whole one is still accepted.

# %%
from forge.state import load_checkpoint, recover_state, reduce_events
from forge.state.mismatch import mismatch, parting
from forge.state.recovery import require_same_history
from forge.storage import REAL_DISK


@stage.exercise("compare_with_replay")
def verify_recovery_equivalent(
    checkpoint_path,
    tail_events,
    full_history,
    *,
    disk=REAL_DISK,
):
    """The recovered state, if a replay of the full history gives the same one."""
    tail, history = list(tail_events), list(full_history)
    ### BEGIN SOLUTION
    #| # The first gap: what state does the whole history give? Delete the line below.
    #| raise NotImplementedError("compare_with_replay")
    replayed = reduce_events(history)
    ### END SOLUTION
    checkpoint = load_checkpoint(checkpoint_path, disk=disk)
    require_same_history(checkpoint, history)
    recovered = recover_state(checkpoint_path, tail, disk=disk)
    ### BEGIN SOLUTION
    #| # The second gap: is it the same state?
    if recovered != replayed:
        raise mismatch(parting(checkpoint.state, tail, history))
    ### END SOLUTION
    return recovered


# %%
stage.hint("compare_with_replay")

# %% [markdown]
# ## Fault lab: the comparison that cost nothing
#
# **Before you run it.** Reading a long journal twice was slow, and the tail was in memory already. So the
# replay takes the first events from the history and the others from there. Then it compares. The tail lacks
# its last event. What comes back? a. A `RecoveryMismatch`. b. A state, one event short. c. A refused gap.

# %%
stage.inject("no_full_replay")

# %%
stage.repair("no_full_replay")

# %% [markdown]
# It was *b*: both ways took their end from the same place.
#
# **Debrief.** A recovery proves nothing about itself. Work the state out a second time, from all events. What
# that way borrows from the first, it cannot check.

# %% [markdown]
# ## Fault lab: the journal that was tidied
#
# A checkpoint can remember what it was taken from. Its anchor holds the count of events and the hash that
# their journal ended with, which `chain_head` computes. Then somebody renames a step in the journal.

# %%
from forge.log import Anchor
from forge.state.recovery import chain_head

anchor = Anchor(count=3, head=chain_head(events[:3]))
anchored = Path(folder.name) / "anchored.json"
save_checkpoint(anchored, reduce_events(events[:3]), anchor=anchor)

renamed = events[1].model_copy(update={"payload": {"step": "look around"}})
tidied = [events[0], renamed, *events[2:]]
try:
    verify_recovery_equivalent(anchored, tidied[3:], tidied)
except ValueError as error:
    print(error.words, error.facts, sep="\n    ")

# %% [markdown]
# **Before you run it.** The faulty check compares the count and leaves out the hash. The tidied journal has as
# many events as before, and event 4 has started another step since. What comes back? a. An error: the anchor
# does not match. b. A `RecoveryMismatch`. c. The state, as if nothing had happened.

# %%
stage.inject("same_length")

# %%
stage.repair("same_length")

# %% [markdown]
# It was *c*, and the comparison you wrote is no help: the replay reads the tidied journal too.
#
# **Debrief.** Two computations that read the same wrong history agree. A length says how much there is, a
# hash says what. Neither helps when whoever rewrites the journal rewrites the checkpoint beside it: these
# hashes have no key, and what counts is that the anchor is kept where that person cannot write.

# %% [markdown]
# ## Transfer challenge: the decision brief
#
# Another agent, in an office, prepares a brief for a decision. Its run is created (1), it starts the step
# `research` (2), it loses its permission to write (3), and it starts the step `report` (4).
#
# Save the state after event 2 as a checkpoint in `folder`. Verify a recovery with the whole tail: it is
# accepted, and the state that comes back stands at `report`. Then verify one whose tail ends with event 3: it
# is refused, and the mismatch names event 4. Assert all of this, and return the mismatch.
#
# Your function must be right on forge as it is, and it must *notice*: it is run again on four broken editions
# of forge, and each time it has to fail.

# %%
from pathlib import Path

from forge.state import RecoveryMismatch, RunEvent, reduce_events, save_checkpoint
from forge.state.recovery import verify_recovery_equivalent


@stage.transfer("decision_brief")
def decision_brief(folder: Path):
    """Recover the brief with a whole and a short tail; return the mismatch."""
    ### BEGIN SOLUTION
    run = {"run_id": "brief"}
    story = [("run_created", {}), ("step_started", {"step": "research"})]
    story += [("write_permission_revoked", {}), ("step_started", {"step": "report"})]
    brief = [
        RunEvent(event_id=f"b{n}", sequence=n, kind=kind, payload=payload, **run)
        for n, (kind, payload) in enumerate(story, start=1)
    ]
    path = folder / "brief.json"
    save_checkpoint(path, reduce_events(brief[:2]))
    whole = verify_recovery_equivalent(path, brief[2:], brief)
    assert whole.current_step == "report"
    try:
        verify_recovery_equivalent(path, brief[2:3], brief)
    except RecoveryMismatch as error:
        mismatch = error
    else:
        raise AssertionError("a tail without event 4 must be refused")
    assert mismatch.evidence["sequence"] == 4
    return mismatch
    ### END SOLUTION


# %%
stage.hint("decision_brief")

# %% [markdown]
# ## Explain
#
# **Why must the tail begin with the event right after the checkpoint?** Write in your own words between the
# quotes and run the cell. Then you see what a strong answer contains.

# %%
explanation = """
### BEGIN SOLUTION
#|
The checkpoint's version is the sequence of the last event in it, so the tail
goes on with the next number. Later, and the events between are never applied;
earlier, and some are applied twice. recover_state compares the two numbers. At
the other end there is no number, so only a full replay shows what is missing.
### END SOLUTION
"""
### BEGIN SOLUTION
#| stage.explain(explanation)
stage.explain(explanation, covered=(1, 2, 3))
### END SOLUTION

# %% [markdown]
# ## Mastery
#
# The cell reads your evidence and writes it down. The run now comes back as it was. What it has learned is
# gone when it ends: in [stage 5](05_memory_boundaries.ipynb) some of that outlives it, and some must not.

# %%
stage.mastery()

# %% [markdown] jp-MarkdownHeadingCollapsed=true
# ## More practice
#
# Two functions to write and three faults, of kinds that people have met in real systems; about 45 minutes.

# %% [markdown]
# ### Exercise: read the tail in pages
#
# A store gives a long tail page by page: `read_page(start, limit)` gives the events from number `start` on, at
# most `limit` of them. It may give fewer at any time, and none only when there are no more. About 10 minutes.
#
# 1. Ask for pages of at most `size` events, beginning right after event `version`.
# 2. Raise a `TailGap` for a page whose first event is not the one you asked for.
# 3. Return all events once the store has no more.
#
# Done when the pages give every event of the tail once, whatever their size.

# %%
from forge.errors import TailGap


@stage.exercise("tail_in_pages")
def tail_from_pages(read_page, version, *, size=1_000):
    """Every event after event `version`, in pages of at most `size` events."""
    ### BEGIN SOLUTION
    tail = []
    start = version + 1
    while page := read_page(start, size):
        if page[0].sequence != start:
            raise TailGap(
                "a page must start with the event that was asked for",
                f"page {start} starts with event {page[0].sequence}.",
                f"Read the tail again from {version + 1}.",
            )
        tail += page
        start = page[-1].sequence + 1
    return tail
    ### END SOLUTION


# %%
stage.hint("tail_in_pages")

# %% [markdown]
# ### The page that was not full
#
# **Before you run it.** The faulty reader takes a page that is not full for the last one. The store gives at
# most three events at a time, and there are five after the checkpoint. With pages of four the reader returns
# three of them. How many with pages of three? a. Three. b. Five. c. None.

# %%
stage.inject("short_page")

# %%
stage.repair("short_page")

# %% [markdown]
# It was *b*: three, which is full, then two. A test with small pages is green.
#
# **Debrief.** A limit is what you ask for, not what you are owed. The end is what the store says it is, here an
# empty page.

# %% [markdown]
# ### Exercise: find the first event that differs
#
# `parting` walks the recovery and the full replay side by side, from the checkpoint on, and stops after the
# first event at which their states differ. About 12 minutes.
#
# 1. Both states stand after event `sequence`. Stop when they differ.
# 2. Otherwise count one event on, and apply the next event of the tail to the one, the next event of the
#    history to the other; `history[sequence]` is its first. A state without a next event stays as it is.
# 3. Go on until both have ended.
#
# Done when the event is found for a tail that is too short, too long or wrong, and for a wrong checkpoint.

# %%
from itertools import zip_longest

from forge.state import apply_event, reduce_events
from forge.state.mismatch import Parting, differences


@stage.exercise("first_difference")
def parting(start, tail, history):
    """Where going on from `start` with `tail` parts from replaying `history`."""
    sequence = start.version
    recovered, replayed = start, reduce_events(history[:sequence])
    ### BEGIN SOLUTION
    #| # Walk both states forward, event by event, until they differ.
    #| raise NotImplementedError("first_difference")
    for ours, theirs in zip_longest(tail, history[sequence:]):
        if recovered != replayed:
            break
        sequence += 1
        recovered = apply_event(recovered, ours) if ours else recovered
        replayed = apply_event(replayed, theirs) if theirs else replayed
    ### END SOLUTION
    found = differences(recovered, replayed)
    return Parting(sequence, found) if found else None


# %%
stage.hint("first_difference")

# %% [markdown]
# ### The tail that always fitted
#
# **Before you run it.** The checkpoint is from after event 2, event 3 took away the permission to write, and
# the tail has events 4 to 6. The faulty recovery makes every tail fit. What does its state say? a. Version 5,
# may write: five events were seen. b. Version 6, may write. c. Version 6, may not write.

# %%
stage.inject("made_to_fit")

# %%
stage.repair("made_to_fit")

# %% [markdown]
# It was *b*: a version that claims to have seen event 3, and the permission that event 3 took away.
#
# **Debrief.** The version says what the state has seen, so it is evidence and never an input. A tail that
# does not begin right after it is refused: events would be applied twice, or never.

# %% [markdown]
# ### The checkpoint from the future
#
# **Before you run it.** A checkpoint is from after event 5, and the log ends with event 4. The faulty check
# lets one event pass. What is said? a. Nothing. b. The checkpoint is ahead. c. The recovery differs.

# %%
stage.inject("checkpoint_ahead")

# %%
stage.repair("checkpoint_ahead")

# %% [markdown]
# It was *c*: the comparison does notice, and sends you to inspect the tail, where nothing is wrong. Meanwhile
# the next event is written, and it is another event 5.
#
# **Debrief.** Events are written first and the checkpoint after them, so a checkpoint is never ahead, not by
# one. If it is, its last event is in no log, the next one takes that number, and every recovery skips it.
