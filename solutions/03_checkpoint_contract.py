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
# On Thursday a run hung. Somebody opened its checkpoint in an editor, changed one `false` to `true` to try it,
# and went home. On Friday a worker loaded the checkpoint, and the run pushed to the main branch.
#
# The file was good JSON, and every field held a value of the right kind. One of them was not what the run
# had been, and no line of code asked.
#
# **How does a program know that a file still says what it wrote?** That is the question of this stage, which
# builds on [stage 1](01_state_and_events.ipynb) and on [stage 2](02_session_lifecycle.ipynb).

# %%
from forge.course import open_stage

stage = open_stage("03_checkpoint_contract")

# %% [markdown]
# ## Predict
#
# Choose before you read on. Your choice is kept, and then the reasons for every option appear.

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
#
# Loading asks five questions, in this order, and one "no" ends it.
#
# ```mermaid
# flowchart LR
#     accTitle: The questions that loading asks
#     accDescr: Whole JSON, known version, right fields, fitting checksum, forge's form. Each no refuses.
#     file([file]) --> whole["whole<br/>JSON?"] -- yes --> version["version<br/>known?"]
#     version -- yes --> fields["fields<br/>right?"] -- yes --> checksum["checksum<br/>fits?"]
#     checksum -- yes --> form["written as<br/>forge writes?"] -- yes --> state([state])
#     whole -- no --> damaged("✗ damaged")
#     version -- no --> unsupported("✗ unsupported")
#     fields -- no --> none("✗ no state")
#     checksum -- no --> mismatch("✗ mismatch")
#     form -- no --> other("✗ other bytes")
# ```
#
# A file becomes a state by five times yes. Each no has words of its own, because each has another cause.

# %% [markdown]
# ### What it is not
#
# A checkpoint is not a dump of the state. A dump can be read; a checkpoint can also be refused. It is not the
# history either: it holds one moment, and if you throw it away the events give it back.
#
# A checksum is not a lock. Whoever can write the file can write the checksum that belongs to it.

# %% [markdown]
# ### How it relates to its neighbours
#
# The state in a checkpoint has a `version`, which counts the events it has seen (stage 1). The
# `schema_version` counts something else: the ways in which this file has ever been written.
#
# Stage 4 goes on from a checkpoint with the events that came after it. So that it recognises their log, a
# checkpoint can hold an **anchor**: how many records the log had, and the hash of the last. A run keeps more
# than one checkpoint, and `load_last_good` goes back from the newest one, refusal by refusal.
#
# **Boundary.** A checkpoint is loaded only when its schema version is known and its content gives the
# checksum it records, and the other three questions end in yes too. One no, and it is refused: nothing is
# loaded in part, and nothing is mended in silence.

# %% [markdown]
# ## Worked example
#
# The run is the one of stage 1: created, inspecting, and without its permission to write.
#
# **1.** Reduce its events to a state.

# %%
from forge.state import RunEvent, reduce_events

story = [
    ("run_created", {}),
    ("step_started", {"step": "inspect"}),
    ("write_permission_revoked", {}),
    ("step_started", {"step": "report"}),
    ("run_completed", {}),
]
events = [
    RunEvent(event_id=f"e{n}", run_id="run-1", sequence=n, kind=kind, payload=payload)
    for n, (kind, payload) in enumerate(story, start=1)
]
state = reduce_events(events[:3])

# %% [markdown]
# **2.** Save it, look at the file, and load it. What comes back is what was saved.

# %%
from pathlib import Path
from tempfile import TemporaryDirectory

from forge.state import load_checkpoint, save_checkpoint

folder = TemporaryDirectory()
path = Path(folder.name) / "run-checkpoint.json"

saved = save_checkpoint(path, state)
loaded = load_checkpoint(path)
print(path.read_text(encoding="utf-8"))
print(loaded == saved, loaded.state == state, loaded.state.write_allowed)

# %% [markdown]
# **3.** Do what was done on Thursday. Then let the file come from a program that is newer than yours.

# %%
text = path.read_text(encoding="utf-8")
thursday = ('"write_allowed": false', '"write_allowed": true')
tomorrow = ('"schema_version": 1', '"schema_version": 2')
for before, after in (thursday, tomorrow):
    path.write_text(text.replace(before, after), encoding="utf-8")
    try:
        load_checkpoint(path)
    except ValueError as error:
        print(error, end="\n\n")

# %% [markdown]
# The second refusal does not wait for the checksum. In version 2 `write_allowed` may mean another thing, and
# a checksum that fits would say nothing about that. Here is the real function; what you write is folded away.

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
print(found.write_allowed, found == reduce_events(events[:3]))

# %% [markdown]
# It loads, and only the events know better. So the checksum shows accidents and careless edits. Against more
# it takes something that the editor cannot write: the events, replayed and compared (stage 4), a copy of the
# checksum kept elsewhere, or a key. The contract of this stage is a file of tests, which run here too.

# %%
stage.tests()

# %% [markdown]
# ## Timeline
#
# The run went on after it was saved. Move to the mark at 3: a checkpoint is the state at one prefix, kept.

# %%
from forge.history import History
from forge.state import apply_event, run_marks
from forge.timeline import Timeline


def marks(event, before, after):
    return [*run_marks(event, before, after), *["◆ saved"] * (after == state)]


history = History(events, apply_event, marks=marks)
Timeline(history, title="run-1")

# %% [markdown]
# ### A save has a history too
#
# A save is several operations of the disk, and the power can go after any of them. Bytes that were written
# wait in memory until the file is **synced**; until then a cut may keep them, lose them, or keep a part.
#
# The dial saves version 3 over version 2 in three ways. One empties the file and writes it again. The other
# two write a second file beside it, the temp file, and then **rename** it: it takes the name of the old one,
# in one step. Turn the dial, one operation after the other, and look at what may be left.

# %%
from forge.figures import power_cut_dial

power_cut_dial(old=reduce_events(events[:2]), new=state)

# %% [markdown]
# Only the third way never leaves a file that is refused. `save_checkpoint` takes it; the other two are in
# programs you use. A loader has to expect what they leave: nothing, a half, zeros. A rename is one step for
# everybody who reads now. It promises nothing about the bytes behind the name, so they are synced first.

# %% [markdown]
# ## Guided exercise: compare the checksum
#
# Below is `load_checkpoint` with one question missing: does the content fit the checksum? About 8 minutes.
#
# 1. Find the place, after the envelope is read and before its bytes are compared, and delete the `raise`.
# 2. Work out what it should record: `checkpoint_checksum` takes the version, the state and the anchor.
# 3. Compare that with what it does record; `!=` will do. If they differ, raise a `ValueError` that has the
#    words *checksum mismatch* in it; `checksum_mismatch(recorded, expected, path)` makes one.
# 4. Run the cell. It checks your function with the tests of this stage.
#
# Done when `test_checkpoint_corruption_is_rejected` passes, and a file that nobody changed still loads.

# %%
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
    #| # Does the content fit the checksum? Ask here, and delete the line below.
    #| raise NotImplementedError("compare_the_checksum")
    content = (envelope.schema_version, envelope.state, envelope.anchor)
    expected = checkpoint_checksum(*content)
    if expected != envelope.checksum_sha256:
        raise checksum_mismatch(envelope.checksum_sha256, expected, path)
    ### END SOLUTION
    if data != encode_checkpoint(envelope):
        raise not_canonical(data, encode_checkpoint(envelope), path)
    return envelope


# %%
stage.hint("compare_the_checksum")

# %% [markdown]
# ## Fault lab: the comparison that never said no
#
# **Before you run it.** This lab puts another `load_checkpoint` into forge. It works a checksum out, it
# compares, and it has the refusal ready. Thursday's file is loaded. What does the worker get? a. An error: the
# checksum does not fit. b. An error: the bytes are not those that were saved. c. A state that may write.

# %%
stage.inject("edited_state_loads")

# %%
stage.repair("edited_state_loads")

# %% [markdown]
# It was *c*. The comparison of bytes was no help: it asks whether the file is written as forge would write
# *this* content. It is, since the editor changed a word and left the form alone.
#
# **Debrief.** Compare the checksum of what is there with what was recorded. Two values from one source always
# agree, and a checksum that is stored and never read protects nothing.

# %% [markdown]
# ## Fault lab: the fresh start
#
# A power cut left the file of a real program full of zeros, and every prompt after the restart failed.
#
# **Before you run it.** A patch made the error go away: the loader takes a file that holds nothing for a run
# that has not begun. This run had lost its permission to write. What may it do now? a. Nothing: there is an
# error. b. Read, as before the cut. c. Write.

# %%
stage.inject("damage_is_a_fresh_start")

# %%
stage.repair("damage_is_a_fresh_start")

# %% [markdown]
# It was *c*. The error was the last thing that still knew about the loss. `load_last_good` waits for it too:
# with an invented state in hand, it does not go back to the checkpoint before.
#
# **Debrief.** A missing file says that nothing was saved. An empty one says that something was, and is gone.
# The first is a fresh start, the second is damage, and is reported to whoever can choose another checkpoint.

# %% [markdown]
# ## Transfer challenge: the delivery
#
# Another run, `frontend-7`. It is created (1), it adds a search box (2, step `add_search`), it mends its
# tests (3, step `fix_tests`), and it loses its permission to write (4).
#
# You are given an empty folder. Save the run's checkpoint in it, load it, and assert that the state came back
# equal. Then edit the file: say that the run may write, and leave every other value as it is. Load it again,
# and assert that it is refused for its *checksum mismatch*. Return the checkpoint that loaded before the edit.
#
# Your function must be right on forge as it is, and it must *notice*: it is run again on four broken editions
# of forge, and each time one of your assertions has to fail.

# %%
from pathlib import Path

from forge.state import RunEvent, load_checkpoint, reduce_events, save_checkpoint


@stage.transfer("frontend_checkpoint")
def frontend_checkpoint(folder: Path):
    """Save a delivery, edit its file, and return what loaded before the edit."""
    ### BEGIN SOLUTION
    run = {"run_id": "frontend-7"}
    story = [("run_created", {})]
    story += [("step_started", {"step": step}) for step in ("add_search", "fix_tests")]
    story += [("write_permission_revoked", {})]
    state = reduce_events(
        RunEvent(event_id=f"d{n}", sequence=n, kind=kind, payload=payload, **run)
        for n, (kind, payload) in enumerate(story, start=1)
    )
    path = folder / "frontend-7.json"
    save_checkpoint(path, state)
    loaded = load_checkpoint(path)
    assert loaded.state == state
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"write_allowed": false', '"write_allowed": true'))
    said = "it was loaded"
    try:
        load_checkpoint(path)
    except ValueError as error:
        said = str(error)
    assert "checksum mismatch" in said, said
    return loaded
    ### END SOLUTION


# %%
stage.hint("frontend_checkpoint")

# %% [markdown]
# ## Explain
#
# **Why does a checkpoint need a version *and* a checksum, and what do the two together not show?** Write in
# your own words between the quotes and run the cell. Then you see what a strong answer contains.

# %%
explanation = """
### BEGIN SOLUTION
#|
The version says what the fields mean, so it is asked first, and a version that
I do not know is refused even if nothing was changed. The checksum says that the
content is the one that was saved, and nothing about its meaning. A SHA-256 and
not a CRC32, because nobody finds other content for its digits. But it has no
secret: whoever writes the file works it out again. Only what the editor cannot
write shows that, such as the events.
### END SOLUTION
"""
### BEGIN SOLUTION
#| stage.explain(explanation)
stage.explain(explanation, covered=(1, 2, 3))
### END SOLUTION

# %% [markdown]
# ## Mastery
#
# The cell reads your evidence and writes it down. Then go on to [stage 4](04_recovery_equivalence.ipynb),
# where a run comes back from a checkpoint and the events after it.

# %%
stage.mastery()

# %% [markdown] jp-MarkdownHeadingCollapsed=true
# ## More practice
#
# Two exercises and three faults, of kinds that people have met in real systems; about 55 minutes for all. Each
# stands on its own, but for the last fault, which comes after the first exercise.

# %% [markdown]
# ### Exercise: replace a file in one step
#
# `save_checkpoint` hands its bytes to `atomic_replace`. Here it is with its work missing: only the name of
# the temporary file stands. It is random, so that no other writer has it. About 20 minutes.
#
# `disk` has these operations. Every one of them can fail, and the power can go after every one.
# - `create(path, data)` makes a new file, and refuses if it is there.
# - `append(path, data)` writes at the end. `sync(path)` returns when the bytes are safe.
# - `rename(source, target)` replaces the target in one step.
# - `sync_folder(folder)` returns when the names in it are safe. `remove(path)` removes a file.
# - `with disk.lock(path):` holds a file, and makes it again, empty, if somebody has cleared it away.
#
# 1. Make the temporary file, empty, and do the rest of the work on it under its lock. Another writer's
#    `remove_litter` clears away what nobody holds, so until you hold yours nothing may be in it.
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
# ### Exercise: bring version 0 up to version 1
#
# An **upcaster** is a step that takes the fields of a file in one schema version and gives them in the next.
# The state in a checkpoint of version 0 had the fields `run_id`, `status`, `version`, `last_event_id`,
# `current_step` and `may_write`. Version 1 calls the permission `write_allowed`, and has a field more,
# `failure_reason`, which is None where nobody knows. About 8 minutes.
#
# 1. Return new fields in version 1, and keep everything else. The ones you are given must stay as they are.
# 2. Make nothing up. Where there is no permission, let it be an error; where it is no true or false, hand it
#    on as it is, and let `read_envelope` refuse it by its name.
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
# **Before you run it.** An operator tries the nightly build and goes back to the release, which knows versions
# 0 and 1. It meets a file of version 2 with a right checksum, and its faulty check refuses what is too old.
# What happens? a. The version is refused. b. The checksum is refused. c. The file loads.

# %%
stage.inject("newer_version_loads")

# %%
stage.repair("newer_version_loads")

# %% [markdown]
# It was *c*. There was no step to do, so the file passed as up to date.
#
# **Debrief.** A reader accepts the versions it knows and refuses every other. A checksum says that the
# content is the one that was saved, and nothing about what it means.

# %% [markdown]
# ### The status that nobody knew
#
# **Before you run it.** A program that had a status "paused" saved a checkpoint. Yours has no such status.
# The version is known, the checksum fits, and the faulty `read_envelope` keeps what it cannot read as it is.
# It should refuse the file, and `no_state(facts, path)` makes the refusal. What is the status of the run?
# a. "paused". b. "running". c. There is an error.

# %%
stage.inject("hollow_state")

# %%
stage.repair("hollow_state")

# %% [markdown]
# It was *a*, and no line of your program has ever heard of it.
#
# **Debrief.** A value that the reader cannot name is refused where it is read, with its field. A state that
# is half understood is worse than none: none is noticed at once.

# %% [markdown]
# ### Twenty workers, one file name
#
# **Before you run it.** In this `atomic_replace` the temporary file is called `run-1.json.tmp`, for every
# writer, and one that is in the way is removed. Two writers save at once. What happens? a. The second waits.
# b. Both save, and the later one stands. c. The first one looks for its file, and it is gone.

# %%
stage.inject("fixed_temporary_name")

# %%
stage.repair("fixed_temporary_name")

# %% [markdown]
# It was *c*. The exclusive `create` would have stopped the second writer; somebody removed the file.
#
# **Debrief.** What two writers must not share gets a name that only one of them knows. A leftover is removed
# only when its writer is gone, and a lock that is free is how one can tell.
#
# On to [stage 4](04_recovery_equivalence.ipynb).
