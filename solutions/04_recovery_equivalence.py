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
# At 05:10 a worker was moved to another machine in the middle of a run. It had a checkpoint from after
# event 2, and the journal held two events more. The reader on the new machine handed over one of them.
#
# Nothing was damaged. The checksum of the checkpoint was right, and the event that came was the next one. At
# 05:12 the agent wrote a report that it had sent to the customer an hour before.
#
# The reducer of [stage 1](01_state_and_events.ipynb) refuses a gap, and the checkpoint of
# [stage 3](03_checkpoint_contract.ipynb) refuses a changed byte. Here there was neither: an end that comes
# too early has no gap behind it. **How do you know that a recovered run stands where it stood?** That is
# the question of this stage, which builds on those two.

# %%
from forge.course import open_stage

stage = open_stage("04_recovery_equivalence")

# %% [markdown]
# ## Predict
#
# Choose before you read on. Your choice is kept, and the reasons for every option appear once you have made
# it.

# %%
### BEGIN SOLUTION
#| stage.predict()
stage.predict("c")
### END SOLUTION

# %% [markdown]
# ## Concept
#
# ### What it is
#
# A **recovery** loads a checkpoint and applies the events after it, which are its **tail**. A **full
# replay** applies every event from the first one on and needs no checkpoint. The two are **equivalent** when
# they end in the same state.
#
# ```mermaid
# flowchart LR
#     accTitle: Two ways from the journal to the state of a run
#     accDescr: A recovery takes the checkpoint and the tail, a full replay takes every event. Equal states let the run go on, different ones are a RecoveryMismatch.
#     journal[("journal<br/>events 1 to 4")] -- "1, 2" --> checkpoint["checkpoint<br/>version 2"]
#     checkpoint --> recovery["recovery"]
#     journal -- "tail: 3, 4" --> recovery
#     journal -- "1, 2, 3, 4" --> replay["full replay"]
#     recovery --> same{"same<br/>state?"}
#     replay --> same
#     same -- yes --> on["✓ the run goes on"]
#     same -- no --> mismatch["✗ RecoveryMismatch"]
# ```
#
# Two ways lead from the journal to a state, a short one and a long one, and the short one is right when
# both arrive at the same place.

# %% [markdown]
# ### What it is not
#
# It is not the checksum of the checkpoint. That covers the bytes of one file, and says nothing about events
# that came later.
#
# It is not a comparison of versions. Two states can agree that they have seen four events and disagree
# about a permission, so every field is compared.
#
# It does not prove that the history is true. Both ways read the same journal, and if that was rewritten,
# they agree about something that never happened. What shows it is an **anchor**: a count and a hash that
# were kept outside the journal. The second fault lab needs one.

# %% [markdown]
# ### How it relates to its neighbours
#
# The checkpoint saves time, the reducer gives both ways the same rules, and the full replay says whether
# the short way was right. It costs what the checkpoint was there to save. So it is not made at every
# restart: it runs in tests, whenever the reducer or the format of the checkpoint changes, on a sample of
# runs, and before events are thrown away.
#
# Events are written before the checkpoint that has seen them. Then a crash in between leaves a checkpoint
# that is behind, and a tail makes up for that. One that is ahead has seen an event that is in no journal.
#
# **Boundary.** A recovery counts only when checkpoint and tail give exactly the state that a full replay
# gives. Anything else is a `RecoveryMismatch`, and the recovered state goes no further.

# %% [markdown]
# ## Worked example
#
# The run adds a feature to a front-end repository. It is created, inspects the code, loses its permission
# to write, and starts its report.
#
# **1.** Write the four events down.


# %%
from forge.state import RunEvent


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
    event(4, "step_started", step="report"),
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
# **3.** Go both ways, and compare.

# %%
from forge.state import recover_state

recovered = recover_state(checkpoint, events[2:])
replayed = reduce_events(events)

for state in (recovered, replayed):
    print(state.version, state.status, state.current_step, state.write_allowed)
print(recovered == replayed)

# %% [markdown]
# **4.** Lose the last event, as the reader did.

# %%
short = recover_state(checkpoint, events[2:3])
print(short.version, short.status, short.current_step, short.write_allowed)

# %% [markdown]
# No error, and a state that can be true: it was, for a moment. Whoever gets it starts the report.
#
# **5.** Ask for the comparison.

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
# **6.** Try the other end. A tail that begins too early or too late needs no comparison to be refused.
# The words are the same for both, the facts are not.

# %%
for first in (2, 4):
    try:
        recover_state(checkpoint, events[first - 1 :])
    except ValueError as error:
        print(error.words, error.facts, sep="\n    ")

# %% [markdown]
# These are the real functions. In the second one the lines that you write in this stage are folded away.

# %%
stage.source("forge.state.recovery:recover_state")

# %%
stage.source("forge.state.recovery:verify_recovery_equivalent")

# %% [markdown]
# ### Why it is built this way
#
# `recover_state` looks at one number only, where the tail begins. What lies behind is left to the reducer,
# which refuses a gap. Where the tail should end neither of them can know.
#
# That is why `verify_recovery_equivalent` is given the full history as well. It asks
# `require_same_history` first, whether the checkpoint belongs to this history at all. States of two runs
# would differ too, and the error would send you looking for an event.
#
# An error that says *different* leaves you with two states and a long night. So `parting` walks both ways
# event by event to where they part, and `mismatch` puts the place into the words of the error.
#
# The contract of this stage is a file of tests, which run here as they run in a terminal.

# %%
stage.tests()

# %% [markdown]
# ## Timeline
#
# The same run, with its checkpoint. Go to prefix 2, which the checkpoint holds, and then forward: what you
# pass is the tail. The report starts with the last step, the one that was lost.

# %%
from forge.history import History
from forge.state import apply_event
from forge.state.marks import run_marks
from forge.timeline import Timeline


def marks(event, before, after):
    saved = ["◆ checkpoint"] if event.sequence == 2 else []
    return saved + run_marks(event, before, after)


history = History(events, apply_event, marks=marks)
Timeline(history, title="run-1")

# %% [markdown]
# One checkpoint was right. What about the others that could have been saved? The **recovery strip** makes
# one at every prefix, recovers from it, and compares with a full replay.

# %%
from forge.figures.recovery import recovery_figure
from forge.recovery_cases import CASES, whole_codec

recovery_figure(history, 4, **whole_codec())

# %% [markdown]
# Green all along. Now four ways to break it, with a mark for each prefix from 0 to 4.

# %%
from forge.recovery_strip import recovery_strip

for name, case in CASES.items():
    strip = recovery_strip(history, 4, **case())
    print("".join("✓" if segment.holds else "✗" for segment in strip), name)

# %% [markdown]
# Each of them is green somewhere, and a test that happens to save its checkpoint there is green with it.
#
# The first is a way to save that was designed before there was a permission to write. Its strip opens at
# the first checkpoint that cannot be trusted. Go through the others with the arrow keys, then put another
# name between the quotes.

# %%
case = CASES["lossy codec"]
recovery_figure(history, 4, **case())

# %% [markdown]
# ## Guided exercise: compare with a full replay
#
# Below is `verify_recovery_equivalent` with two gaps. It recovers, and takes the result's word for it.
# About 8 minutes.
#
# 1. At the first gap, work out the state that a full replay gives.
# 2. At the second, compare it with the recovered one. When they differ, raise the error that `mismatch`
#    makes of what `parting` finds; `parting` takes the state of the checkpoint, the tail and the history.
# 3. Run the cell. It checks your function with the tests of this stage.
#
# Done when `test_missing_tail_event_is_detected_by_equivalence_check` passes: a tail that ends too early is
# refused with the words *differs from full event replay*, and the event that it lacks is named. A whole tail
# is still accepted, and one that begins elsewhere is still refused.

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
    #| # The first gap: what state does the whole history give?
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
# Stuck? One hint opens at a time, and none of them is the line.
stage.hint("compare_with_replay")

# %% [markdown]
# ## Fault lab: nobody compared
#
# Your check keeps a promise. This lab takes it out of forge again.
#
# **Before you run it.** The checkpoint is whole, and the tail lacks its last event. The faulty function
# still asks whether the checkpoint belongs to this run and to this journal. What comes back?
#
# - a. A state, one event short.
# - b. An error from `require_same_history`.
# - c. An error from the reducer.

# %%
stage.inject("no_full_replay")

# %% [markdown]
# It is *a*. Each part did its job: the checkpoint belongs to the run, the tail begins where it should, and
# no event in it is missing. There is no part whose job is the end.
#
# Follow the diagnosis, then mend the function.

# %%
stage.repair("no_full_replay")

# %% [markdown]
# **Debrief.** A recovery proves nothing about itself. Work the state out a second time, from all events,
# and let the two be equal or refuse the recovered one. The error names the first event at which they part,
# because whoever reads it has to find a cause, and the cause is there.

# %% [markdown]
# ## Fault lab: the journal that was tidied
#
# A checkpoint can remember what it was taken from. Its anchor holds the count of events and the hash that
# their journal ended with, which `chain_head` computes. Then somebody renames a step in the journal,
# *inspect* to *look around*, and makes all its hashes anew.

# %%
from forge.log import Anchor
from forge.state.recovery import chain_head

anchor = Anchor(count=3, head=chain_head(events[:3]))
anchored = Path(folder.name) / "anchored.json"
save_checkpoint(anchored, reduce_events(events[:3]), anchor=anchor)

tidied = [events[0], event(2, "step_started", step="look around"), *events[2:]]
try:
    verify_recovery_equivalent(anchored, tidied[3:], tidied)
except ValueError as error:
    print(error.words, error.facts, sep="\n    ")

# %% [markdown]
# **Before you run it.** The faulty check compares the count and leaves out the hash. The tidied journal has
# as many events as before, and event 4 has started another step since. What does
# `verify_recovery_equivalent` give for it?
#
# - a. An error: the anchor does not match.
# - b. An error: recovery differs from full event replay.
# - c. The state, as if nothing had happened.

# %%
stage.inject("same_length")

# %% [markdown]
# It is *c*, and the comparison you wrote is no help. The replay reads the tidied journal too, and both ways
# end at the same step.

# %%
stage.repair("same_length")

# %% [markdown]
# **Debrief.** Two computations that read the same wrong history agree. A length says how much there is, a
# hash says what. Neither helps when the checkpoint lies beside the journal and whoever rewrites the one
# rewrites the other: these hashes have no key, anybody can compute them, and what counts is that the anchor
# is kept where that person cannot write.

# %% [markdown]
# ## Transfer challenge: the decision brief
#
# Another agent, in an office, prepares a brief for a decision. Its run is created (1), it starts the step
# `research` (2), it loses its permission to write (3), and it starts the step `report` (4).
#
# Write the four events and save the state after event 2 as a checkpoint in `folder`. Verify a recovery with
# the whole tail: it is accepted, and the run stands at `report`. Then verify one whose tail ends with
# event 3: it is refused, and the mismatch names event 4. Assert all of this, and return the mismatch.
#
# Your function is checked twice. It must be right on forge as it is, and it must *notice*: it is run again
# on three broken editions of forge, and each time it has to fail. One of them accepts a tail that is too
# short, one refuses even the whole one, and one names the wrong event.

# %%
from pathlib import Path

from forge.state import (
    RecoveryMismatch,
    RunEvent,
    reduce_events,
    save_checkpoint,
    verify_recovery_equivalent,
)


@stage.transfer("decision_brief")
def decision_brief(folder: Path) -> RecoveryMismatch:
    """Recover the brief with a whole and a short tail; return the mismatch."""

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
        event(2, "step_started", step="research"),
        event(3, "write_permission_revoked"),
        event(4, "step_started", step="report"),
    ]
    path = folder / "brief.json"
    save_checkpoint(path, reduce_events(story[:2]))

    whole = verify_recovery_equivalent(path, story[2:], story)
    assert whole.current_step == "report"
    try:
        verify_recovery_equivalent(path, story[2:3], story)
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
# In your own words: **why must the tail begin with the event right after the checkpoint?** Write between
# the quotes and run the cell. Then you see what a strong answer contains, and mark your own.

# %%
explanation = """
### BEGIN SOLUTION
#|
The checkpoint's version is the sequence of the last event in it. The tail has
to go on with the next number. Later, and the events between are never
applied; earlier, and some are applied twice. recover_state compares the two
numbers and refuses. At the other end of the tail there is no number to
compare with, so only a full replay shows that an event is missing there.
### END SOLUTION
"""
### BEGIN SOLUTION
#| stage.explain(explanation)
stage.explain(explanation, covered=(1, 2, 3))
### END SOLUTION

# %% [markdown]
# ## Mastery
#
# You have shown this stage when its three tests pass, when you can say what makes a recovery right, and
# when you have found one that nobody compared. The cell reads your evidence and writes it down.

# %%
stage.mastery()

# %% [markdown]
# The run now comes back as it was. What it has learned is gone when it ends: in
# [stage 5](05_memory_boundaries.ipynb) some of that outlives it, and some of it must not.

# %% [markdown] jp-MarkdownHeadingCollapsed=true
# ## More practice
#
# Two more functions to write and four more faults, all of kinds that people have met in real systems. About
# 50 minutes for all of them; every one stands on its own.

# %% [markdown]
# ### Exercise: read the tail in pages
#
# A long tail comes from a store page by page. `read_page(start, limit)` gives the events from number
# `start` on, at most `limit` of them. It gives none only when there are no more; it may give fewer than it
# was asked for at any time. About 10 minutes.
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
# **Before you run it.** A store is asked for four events and gives three. The faulty reader takes a page
# that is not full for the last one. There are five events after the checkpoint. How many does it return?
#
# - a. Three.
# - b. Four.
# - c. Five.

# %%
stage.inject("short_page")

# %% [markdown]
# It is *a*, and it is what happened at 05:10.

# %%
stage.repair("short_page")

# %% [markdown]
# **Debrief.** A limit is what you ask for, not what you are owed. The end of a log is what the store says it
# is, here an empty page, and it costs one more question to hear it.

# %% [markdown]
# ### Exercise: find the first event that differs
#
# `parting` walks the recovery and the full replay side by side, from the checkpoint on, and stops after the
# first event at which their states differ. Where one of them has no more events, its state stays as it is.
# About 12 minutes.
#
# 1. Both states stand after event `sequence`. Stop when they differ.
# 2. Otherwise count one event on, and apply the next event of the tail to the one, the next event of the
#    history to the other. The first of those is `history[sequence]` at the start.
# 3. Go on until both have ended.
#
# Done when the right event is found for a tail that is too short, one that is too long, one with a wrong
# event in it, and a checkpoint that was wrong from the beginning.

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
# **Before you run it.** The checkpoint is from after event 2, and the tail begins with event 4. Event 3 took
# away the permission to write. The faulty recovery makes the checkpoint fit the tail. What does the state
# say?
#
# - a. There is an error.
# - b. The run may not write.
# - c. The run may write.

# %%
stage.inject("made_to_fit")

# %% [markdown]
# It is *c*, with a version that claims to have seen event 3.

# %%
stage.repair("made_to_fit")

# %% [markdown]
# **Debrief.** The version says what the state has seen, so it is evidence and never an input. A tail that
# does not begin right after it is refused: an earlier one because events would be applied twice, a later
# one because some never would.

# %% [markdown]
# ### The run that had done nothing since
#
# **Before you run it.** A run was saved after event 2 and has done nothing since, so its tail is empty. The
# faulty recovery takes the version from the last event of the tail. With which number does the run go on?
#
# - a. 3.
# - b. 2.
# - c. 1.

# %%
stage.inject("version_forgotten")

# %% [markdown]
# It is *b*: the state counts one event, so the next one is number 2, and the journal has had a number 2 for
# a long time. With a tail the same code is right, which hides it in every test that has one.

# %%
stage.repair("version_forgotten")

# %% [markdown]
# **Debrief.** A checkpoint holds the version because nothing else knows it. Recovery begins with it and
# lets the reducer count on; whoever sets it a second time has two truths.

# %% [markdown]
# ### The checkpoint from the future
#
# **Before you run it.** A checkpoint is from after event 5, and the log ends with event 4. The faulty check
# lets one event pass. What does `verify_recovery_equivalent` say?
#
# - a. Nothing.
# - b. The checkpoint is ahead of the log.
# - c. The recovery differs from a full replay.

# %%
stage.inject("checkpoint_ahead")

# %% [markdown]
# It is *c*, and this time the comparison does notice. Read what the error tells you to inspect: the tail,
# where nothing is wrong. Meanwhile the next event is written, and it is another event 5.

# %%
stage.repair("checkpoint_ahead")

# %% [markdown]
# **Debrief.** Events are written first and the checkpoint after them, so a checkpoint is never ahead, not by
# one. If it is, its last event is in no log, the next one takes that number, and every recovery skips it.
