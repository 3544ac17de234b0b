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
# # The file that somebody opened
#
# On Thursday a run hung. Somebody opened its checkpoint in an editor, changed one `false` to `true` to see
# what would happen, saved the file and went home. On Friday a worker loaded the checkpoint, and the run
# pushed to the main branch.
#
# The file was good JSON. Every field held a value of the right kind. One of them was not what the run had
# been, and no line of code asked.
#
# **How does a program know that a file still says what it wrote?** That is the question of this stage. It
# builds on [stage 1](01_state_and_events.ipynb), where a state was worked out from events, and on
# [stage 2](02_session_lifecycle.ipynb), which keeps the runs of a session apart.

# %%
from forge.course import open_stage

stage = open_stage("03_checkpoint_contract")

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
# A **checkpoint** is one consistent copy of a run's state at one version, in a file, with what is needed to
# trust it again: a **schema version**, which says how the file is written, and a **checksum**, which is
# worked out from everything else in it.
#
# The checksum is a SHA-256, 64 digits. Change one value of the state, and they are other digits.

# %%
from forge.state import RunState, checkpoint_checksum

reading = RunState(run_id="run-1", status="running", version=2, last_event_id="e2")
revoked = reading.model_copy(update={"write_allowed": False})

print(checkpoint_checksum(1, reading))
print(checkpoint_checksum(1, revoked))

# %% [markdown]
# Loading asks five questions, in this order, and one "no" ends it.
#
# ```mermaid
# flowchart LR
#     accTitle: The questions that loading asks
#     accDescr: Whole JSON, known version, right fields, fitting checksum, same bytes. Each no is a refusal.
#     file([file]) --> whole["whole<br/>JSON?"]
#     whole -- yes --> version["version<br/>known?"]
#     version -- yes --> fields["fields<br/>right?"]
#     fields -- yes --> checksum["checksum<br/>fits?"]
#     checksum -- yes --> bytes["bytes<br/>the same?"]
#     bytes -- yes --> state([state])
#     whole -- no --> damaged("✗ damaged")
#     version -- no --> unsupported("✗ unsupported")
#     fields -- no --> none("✗ no state")
#     checksum -- no --> mismatch("✗ mismatch")
#     bytes -- no --> other("✗ other bytes")
# ```
#
# A file becomes a state by way of five times yes. Each no has words of its own, because each has another
# cause.

# %% [markdown]
# ### What it is not
#
# A checkpoint is not a dump of the state. A dump can be read; a checkpoint can also be refused.
#
# It is not the history. It holds one moment, and if you throw it away the events give it back. It is no
# memory either: it belongs to one run.
#
# A checksum is not a lock. Whoever can write the file can write the checksum that belongs to it.
#
# Nor does a checkpoint decide when to save, or which of two writers is right: the last one stands. That is
# for whoever runs the run.

# %% [markdown]
# ### How it relates to its neighbours
#
# The state in a checkpoint has a `version`, which counts the events it has seen (stage 1). The
# `schema_version` counts something else: the ways in which this file has ever been written. Two numbers,
# two fields.
#
# Stage 4 goes on from a checkpoint with the events that came after it. To know their log again, a checkpoint
# can hold an **anchor**: how many records the log had, and the hash of the last. What the model gets to see is
# chosen later still (stage 6); nothing goes there from a file by itself.
#
# **Boundary.** A checkpoint is loaded only when its schema version is known and its content gives the
# checksum it records. When either fails it is refused. Nothing is loaded in part, and nothing is mended in
# silence.

# %% [markdown]
# ## Worked example
#
# The run is the one of stage 1: created, inspecting, and without its permission to write.
#
# **1.** Reduce its events to a state.

# %%
from forge.state import RunEvent, reduce_events


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
state = reduce_events(events)

# %% [markdown]
# **2.** Save it, and look at the file.

# %%
from pathlib import Path
from tempfile import TemporaryDirectory

from forge.state import load_checkpoint, save_checkpoint

folder = TemporaryDirectory()
path = Path(folder.name) / "run-checkpoint.json"

saved = save_checkpoint(path, state)
print(path.read_text(encoding="utf-8"), end="")

# %% [markdown]
# **3.** Load it. What comes back is what was saved.

# %%
loaded = load_checkpoint(path)
print(loaded == saved, loaded.state == state)
print(loaded.state.write_allowed, len(loaded.checksum_sha256))

# %% [markdown]
# **4.** Do what was done on Thursday.

# %%
text = path.read_text(encoding="utf-8")
edited = text.replace('"write_allowed": false', '"write_allowed": true')
path.write_text(edited, encoding="utf-8")

try:
    load_checkpoint(path)
except ValueError as error:
    print(error)

# %% [markdown]
# This is the real function. The lines that you write in this stage are folded away.

# %%
stage.source("forge.state.checkpoint:load_checkpoint")

# %% [markdown]
# ### Why it is built this way
#
# `upcast` comes first, because only the version says what the other fields mean; it also refuses what is
# no JSON. `read_envelope` refuses a value of the wrong kind by its name. The comparison of bytes comes
# last: a file that says the right thing in another form was not written by forge, and somebody should know.
#
# Why a SHA-256? A **CRC32** is a checksum too, eight digits long, made to find the bits that a disk or a
# cable loses. Here are two states that differ in their step alone. The numbers in it were chosen, by a
# program that runs for a second, to make the CRC32 come out the same.

# %%
import zlib

from forge.chain import canonical, sha256

for step in ("inspect 548633598", "publish 183608904"):
    there = state.model_copy(update={"current_step": step})
    content = canonical(there.model_dump(mode="json"))
    print(f"{step}   crc32 {zlib.crc32(content):08x}   sha256 {sha256(content)[:8]}…")

# %% [markdown]
# Nobody knows how to do that with SHA-256. But nobody needs to: whoever may write the file works the
# checksum out again, as `save_checkpoint` does for everybody.

# %%
forged = save_checkpoint(path, state.model_copy(update={"write_allowed": True}))
found = load_checkpoint(path).state
print(found.write_allowed, found == reduce_events(events))

# %% [markdown]
# It loads, and only the events know better. So the checksum shows accidents and careless edits. Against more
# it takes something that the editor cannot write: the events, replayed and compared (stage 4), a copy of the
# checksum kept elsewhere, or a key.
#
# The contract of this stage is a file of tests. They run here as they run in a terminal.

# %%
stage.tests()

# %% [markdown]
# ## Timeline
#
# The run went on after it was saved. A checkpoint is the state at one prefix, kept: move to the mark at 3,
# and read what was in the file.

# %%
from forge.history import History
from forge.state import apply_event, run_marks
from forge.timeline import Timeline


def marks(event, before, after):
    here = ["◆ saved"] if after == state else []
    return [*run_marks(event, before, after), *here]


later = [event(4, "step_started", step="report"), event(5, "run_completed")]
history = History([*events, *later], apply_event, marks=marks)
Timeline(history, title="run-1")

# %% [markdown]
# ### A save has a history too
#
# A save is several operations of the disk, and the power can go after any of them. Bytes that were written
# wait in memory until the file is **synced**; until then a cut may keep them, lose them, or keep a part.
#
# The dial saves version 3 over version 2 in three ways. Turn it, one operation after the other, and look at
# what may be left of the file.

# %%
from forge.figures import power_cut_dial

power_cut_dial(old=reduce_events(events[:2]), new=state)

# %% [markdown]
# Only the third way never leaves a file that is refused. `save_checkpoint` takes it; the other two are in
# programs you use. A loader has to expect what they leave: nothing, zeros, a half.

# %% [markdown]
# ## Guided exercise: compare the checksum
#
# Below is `load_checkpoint` with one question missing: does the content fit the checksum? About 8 minutes.
#
# 1. Find the place: after the envelope is read, before its bytes are compared.
# 2. Work out with `checkpoint_checksum` what the envelope should record. It takes the version, the state and
#    the anchor.
# 3. Compare that with what it does record. If they differ, raise a `ValueError` that has the words *checksum
#    mismatch* in it; `checksum_mismatch(recorded, expected, path)` makes one.
# 4. Run the cell. It checks your function with the tests of this stage.
#
# `hmac.compare_digest` is there for the comparison. It takes as long for a wrong first digit as for a wrong
# last one, which matters where one side is secret. Here neither is, and `!=` is as right.
#
# Done when `test_checkpoint_corruption_is_rejected` passes, and a file that nobody changed still loads.

# %%
import hmac
from pathlib import Path

from forge.state import CHECKPOINT_SCHEMA_VERSION, CheckpointEnvelope
from forge.state.checkpoint import checkpoint_checksum, encode_checkpoint, read_envelope
from forge.state.checkpoint_bytes import checksum_mismatch, not_canonical
from forge.state.upcast import upcast
from forge.storage import REAL_DISK, Disk


@stage.exercise("compare_the_checksum")
def load_checkpoint(path: str | Path, *, disk: Disk = REAL_DISK) -> CheckpointEnvelope:
    """The checkpoint in the file, which is exactly what was saved, or a refusal."""
    path = Path(path)
    data = upcast(disk.read(path), path, to=CHECKPOINT_SCHEMA_VERSION)
    envelope = read_envelope(data, path)
    ### BEGIN SOLUTION
    #| # Does the content fit the checksum? Ask here, in place of the line below.
    #| raise NotImplementedError("compare_the_checksum")
    expected = checkpoint_checksum(
        envelope.schema_version,
        envelope.state,
        envelope.anchor,
    )
    if not hmac.compare_digest(expected, envelope.checksum_sha256):
        raise checksum_mismatch(envelope.checksum_sha256, expected, path)
    ### END SOLUTION
    if data != encode_checkpoint(envelope):
        raise not_canonical(data, encode_checkpoint(envelope), path)
    return envelope


# %%
# Stuck? One hint opens at a time, and none of them is the line.
stage.hint("compare_the_checksum")

# %% [markdown]
# ## Fault lab: the checksum that nobody read
#
# Your comparison keeps a promise. This lab takes it out of forge again. What is left still asks for whole
# JSON, for the version, for every field, and for the bytes.
#
# **Before you run it.** Thursday's file is loaded. What does the worker get?
#
# - a. An error: the bytes are not the ones that were saved.
# - b. An error: a field is wrong.
# - c. A state that may write.

# %%
stage.inject("edited_state_loads")

# %% [markdown]
# It is *c*. The comparison of bytes asks whether the file is written as forge would write *this* content.
# It is: the editor changed a word and left the form alone.
#
# Follow the diagnosis, then mend the function. You have written the lines before; this time the way to them
# is what counts.

# %%
stage.repair("edited_state_loads")

# %% [markdown]
# **Debrief.** After the version and before the state is used, work out the checksum of what is there and
# compare it with what was recorded. A checksum that is stored and never read protects nothing.

# %% [markdown]
# ## Fault lab: the fresh start
#
# This one happened to users of a real program. A power cut left its file full of zeros, and every prompt
# after the restart failed with an error. A patch made the error go away.
#
# **Before you run it.** The patched loader meets a file that holds nothing, and takes it for a run that has
# not begun. The run had lost its permission to write. What may it do now?
#
# - a. Nothing: there is an error.
# - b. Read, as before the cut.
# - c. Write.

# %%
stage.inject("damage_is_a_fresh_start")

# %% [markdown]
# It is *c*. The error was the last thing that still knew about the loss. Look at the second test that fails,
# too: with an invented state in hand, nobody goes back to the checkpoint before.

# %%
stage.repair("damage_is_a_fresh_start")

# %% [markdown]
# **Debrief.** A missing file says that nothing was saved. An empty one says that something was, and is gone.
# The first is a fresh start, the second is damage, and damage is reported to whoever can choose another
# checkpoint.

# %% [markdown]
# ## Transfer challenge: the delivery
#
# Another run, `frontend-7`. It is created (1), it adds a search box (2, step `add_search`), it mends its
# tests (3, step `fix_tests`), and it loses its permission to write (4).
#
# You are given an empty folder. Save the run's checkpoint in it, load it, and assert that the state came back
# equal. Then edit the file: say that the run may write, and change nothing else. Load it again, and assert
# that it is refused for its *checksum mismatch*. Return the checkpoint that loaded before the edit.
#
# Your function is checked twice. It must be right on forge as it is, and it must *notice*: it is run again
# on three broken editions of forge, and each time one of your assertions has to fail.

# %%
from pathlib import Path

from forge.state import (
    CheckpointEnvelope,
    RunEvent,
    load_checkpoint,
    reduce_events,
    save_checkpoint,
)


@stage.transfer("frontend_checkpoint")
def frontend_checkpoint(folder: Path) -> CheckpointEnvelope:
    """Save a delivery, edit its file, and return what loaded before the edit."""

    ### BEGIN SOLUTION
    def event(sequence, kind, **payload):
        return RunEvent(
            event_id=f"d{sequence}",
            run_id="frontend-7",
            sequence=sequence,
            kind=kind,
            payload=payload,
        )

    story = [
        event(1, "run_created"),
        event(2, "step_started", step="add_search"),
        event(3, "step_started", step="fix_tests"),
        event(4, "write_permission_revoked"),
    ]
    state = reduce_events(story)
    path = folder / "frontend-7.json"
    save_checkpoint(path, state)
    loaded = load_checkpoint(path)
    assert loaded.state == state
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"write_allowed": false', '"write_allowed": true'))
    try:
        load_checkpoint(path)
    except ValueError as error:
        said = str(error)
    else:
        said = "it was loaded"
    assert "checksum mismatch" in said, said
    return loaded
    ### END SOLUTION


# %%
stage.hint("frontend_checkpoint")

# %% [markdown]
# ## Explain
#
# In your own words: **why does a checkpoint record a SHA-256 and not a CRC32? And what does neither of them
# show?** Write between the quotes and run the cell. Then you see what a strong answer contains, and mark
# your own.

# %%
explanation = """
### BEGIN SOLUTION
#|
A CRC32 finds what chance does to a file, but it is short, and anybody can
choose a few characters so that other content has the same one. Nobody can do
that with SHA-256, so its digits stand for one content. Neither has a secret:
whoever may write the file can work the checksum out again, so it shows
accidents and careless edits. Only what the editor cannot write shows more:
the events, a copy of the checksum elsewhere, a key.
### END SOLUTION
"""
### BEGIN SOLUTION
#| stage.explain(explanation)
stage.explain(explanation, covered=(1, 2, 3))
### END SOLUTION

# %% [markdown]
# ## Mastery
#
# You have shown this stage when your function passes the tests of the round trip, of the edit and of the
# unknown version, when you can say what the version is for and what the checksum is for, and when you have
# found the comparison that was missing. The cell reads your evidence and writes it down. Then go on to
# [stage 4](04_recovery_equivalence.ipynb), where a run comes back from a checkpoint and the events after it.

# %%
stage.mastery()

# %% [markdown] jp-MarkdownHeadingCollapsed=true
# ## More practice
#
# Two exercises and four faults, all of kinds that people have met in real systems. About 40 minutes for all
# of them; every one stands on its own.

# %% [markdown]
# ### Exercise: replace a file in one step
#
# `save_checkpoint` hands its bytes to `atomic_replace`. Here it is with its work missing: only the name of
# the temporary file stands. It is random, so that no other writer has it. About 12 minutes.
#
# `disk` has these operations. Every one of them can fail, and the power can go after every one.
#
# - `create(path, data)` makes a new file, and refuses if it is there.
# - `append(path, data)` writes at the end. `sync(path)` returns when the bytes are safe.
# - `rename(source, target)` replaces the target in one step.
# - `sync_folder(folder)` returns when the names in it are safe.
# - `remove(path)` removes a file. `with disk.lock(path):` holds one that exists.
#
# 1. Make the temporary file, empty, and work on it under its lock. Another writer's `remove_litter` removes
#    temporary files that nobody holds.
# 2. Put the operations of the dial's third way in order.
# 3. If anything is raised on the way, remove the temporary file and raise it again.
#
# Done when a power cut, a second writer or a failure at any moment leaves one whole file and nothing else.

# %%
import secrets
from contextlib import suppress
from pathlib import Path

from forge.storage import REAL_DISK, Disk, remove_litter


@stage.exercise("replace_in_one_step")
def atomic_replace(path: str | Path, data: bytes, *, disk: Disk = REAL_DISK) -> None:
    """Make `path` hold `data`; at every moment the old bytes or the new ones."""
    path = Path(path)
    disk.make_folder(path.parent)
    remove_litter(path, disk)
    new = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    ### BEGIN SOLUTION
    #| # Make `new`, fill it, let it take the place of `path`. Undo when anything is raised.
    #| raise NotImplementedError("replace_in_one_step")
    try:
        disk.create(new, b"")
        with disk.lock(new):
            disk.append(new, data)
            disk.sync(new)
            disk.rename(new, path)
    except BaseException:
        with suppress(OSError):
            disk.remove(new)
        raise
    disk.sync_folder(path.parent)
    ### END SOLUTION


# %%
stage.hint("replace_in_one_step")

# %% [markdown]
# ### The name that arrived before the bytes
#
# **Before you run it.** One sync is gone: the one between the write and the rename. The folder is still
# synced at the end. The power goes right after the rename. What is in the file?
#
# - a. The old state or the new one: a rename is one step.
# - b. Perhaps nothing, or zeros.
# - c. The file is missing.

# %%
stage.inject("rename_without_sync")

# %% [markdown]
# It is *b*. The name had reached the device, the bytes had not.

# %%
stage.repair("rename_without_sync")

# %% [markdown]
# **Debrief.** A rename is one step for everybody who reads now. It promises nothing about the bytes behind
# the name, so they are synced first.

# %% [markdown]
# ### Twenty workers, one file name
#
# **Before you run it.** The temporary file is now called `run-1.json.tmp`, for every writer, and one that is
# in the way is removed. Two writers save at once. What happens?
#
# - a. The second one waits.
# - b. Both save, and the later one stands.
# - c. The first one looks for its file, and it is gone.

# %%
stage.inject("fixed_temporary_name")

# %% [markdown]
# It is *c*. The exclusive `create` would have stopped the second writer. Somebody removed the file to make it
# work.

# %%
stage.repair("fixed_temporary_name")

# %% [markdown]
# **Debrief.** What two writers must not share gets a name that only one of them knows. A leftover is removed
# only when its writer is gone, and a lock that is free is how one can tell.

# %% [markdown]
# ### Exercise: bring version 0 up to version 1
#
# An **upcaster** is a step that takes the fields of a file in one schema version and gives them in the next.
# A checkpoint of version 0 had a state like this one:
#
# ```json
# {"run_id": "run-1", "status": "running", "version": 2, "last_event_id": "e2",
#  "current_step": "inspect", "may_write": false}
# ```
#
# Version 1 calls the permission `write_allowed`, and has a field `failure_reason`, which is None where
# nobody knows. About 8 minutes.
#
# 1. Return new fields in version 1. The ones you are given must stay as they are.
# 2. Keep everything else, known or unknown.
# 3. Make nothing up: where there is no permission, let it be an error.
#
# Done when `test_an_older_checkpoint_is_brought_up_to_date` passes. `upcast` has verified the old file
# before you get it, and works out the new checksum after you.

# %%
from forge.state.checkpoint_bytes import Fields


@stage.exercise("out_of_version_0")
def from_version_0(fields: Fields) -> Fields:
    """The fields of a version 0 checkpoint, in version 1."""
    ### BEGIN SOLUTION
    state = dict(fields["state"])
    state["write_allowed"] = state.pop("may_write")
    state["failure_reason"] = None
    return {**fields, "schema_version": 1, "state": state}
    ### END SOLUTION


# %%
stage.hint("out_of_version_0")

# %% [markdown]
# ### The file from tomorrow
#
# **Before you run it.** An operator tries the nightly build and goes back to the release. The release knows
# the versions 0 and 1, and meets a file of version 2 with a right checksum. The faulty check refuses what is
# too old. What does this file do?
#
# - a. It is refused: the version is unknown.
# - b. It is refused: the checksum does not fit.
# - c. It loads.

# %%
stage.inject("newer_version_loads")

# %% [markdown]
# It is *c*. There was no step to do, so the file passed as up to date.

# %%
stage.repair("newer_version_loads")

# %% [markdown]
# **Debrief.** A reader accepts the versions it knows and refuses every other. A checksum says that the
# content is the one that was saved, and nothing about what it means.

# %% [markdown]
# ### The status that nobody knew
#
# **Before you run it.** A program that had a status "paused" saved a checkpoint. Yours has no such status.
# The version is known, the checksum fits, and the faulty reader keeps what it cannot read as it is. What is
# the status of the run?
#
# - a. "paused".
# - b. "running".
# - c. There is an error.

# %%
stage.inject("hollow_state")

# %% [markdown]
# It is *a*, and no line of your program has ever heard of it.

# %%
stage.repair("hollow_state")

# %% [markdown]
# **Debrief.** A value that the reader cannot name is refused where it is read, with its field. A state that
# is half understood is worse than none: none is noticed at once.
#
# On to [stage 4](04_recovery_equivalence.ipynb).
