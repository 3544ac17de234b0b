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
# # The summary that remembered
#
# On Monday a developer told an agent why she had been away, and an hour later asked it to forget that. The agent
# deleted the note, and said so. On Friday it wrote the release notes: *the search box comes a week late, because
# its author was in hospital*.
#
# The note was gone, and nobody could find it in the store. She asked who had read it before. There was a log; its
# last three lines were missing, and it looked complete.
#
# **What has to go when a memory goes? And how does a log show that nothing has gone from it?** You know how to delete
# one memory ([stage 5](05_memory_boundaries.ipynb)) and rebuild a run ([stage 1](01_state_and_events.ipynb)).

# %%
from forge.course import open_stage

stage = open_stage("07_replay_and_deletion")

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
# A journal keeps the events of one run in a file, one a line, and only grows. Each line holds the hash of the line
# before, and its own hash over everything else on it. Lines like these form a **hash chain**: change one, and the
# next does not follow it any more.
#
# A text that was made from others is **derived**, and what it was made from is its **lineage**. Monday's summary
# had been made from the note before it went, and the week's from Monday's.
#
# ```mermaid
# flowchart LR
#     accTitle: The lineage of three summaries
#     accDescr: Monday's summary is made from the private note, the week's from Monday's and the public note, the plan from the public note alone. Deleting the private note takes Monday's and the week's along.
#     note["✗ memory<br/>private-note"] --> monday["✗ summary<br/>monday"]
#     monday --> week["✗ summary<br/>week"]
#     public["✓ memory<br/>public-note"] --> week
#     public --> plan["✓ summary<br/>plan"]
#     classDef gone stroke:#d2480f,stroke-dasharray:5 4
#     classDef stays stroke:#0b857f
#     class note,monday,week gone
#     class public,plan stays
# ```
#
# *Deleting the private note takes along whatever its arrows lead to. The week goes although half of it comes from
# somewhere else; the plan stays.*
#
# A **tombstone** is what a deletion leaves: an id, and nothing of the text. It bars that id from being a source
# again, because somebody may have read the text an hour ago and be writing a summary of it now.
#
# ### What it is not
#
# A hash chain is not a lock. It holds no secret, and whoever can write the file can compute every hash again. It
# shows accidents and careless edits. And a journal is no place for texts: it never forgets, so it names a memory by
# its id.
#
# ### How it relates to its neighbours
#
# The journal is the log of stage 1 in a file. A checkpoint keeps an **anchor** of it (stage 3): how many records there
# were, and the hash of the last one. Here you learn what that is good for. The store of stage 5 knows nothing of
# summaries; the cache of summaries knows their lineage.
#
# **Boundary.** A memory is deleted with everything that was derived from it, or it is not deleted. What was derived
# goes first and is barred from coming back. The memory goes last.

# %% [markdown]
# ## Worked example
#
# **1.** Write the run of stage 1 into a journal: created, inspecting, and without its permission to write. A scan
# gives every record that can be trusted, with the hash before and its own, and at the end why it stopped.

# %%
import tempfile
from pathlib import Path

from forge.replay import EventJournal
from forge.state import RunEvent

folder = tempfile.TemporaryDirectory()
here = Path(folder.name)
journal = EventJournal(here / "run-1.jsonl")


def happens(n, kind, **payload):
    text = {"event_id": f"e{n}", "run_id": "run-1", "kind": kind}
    journal.append(RunEvent(**text, sequence=n, payload=payload))


# %%
happens(1, "run_created")
happens(2, "step_started", step="inspect")
happens(3, "write_permission_revoked")

*records, end = journal.scan()
for event, before, own in records:
    print(before[:8], "→", own[:8], event.kind)
print(end.reason)

# %% [markdown]
# **2.** Change one word in a copy of the file, and replay both.

# %%
print(journal.replay().current_step)
copy = here / "copy.jsonl"
copy.write_bytes(journal.path.read_bytes().replace(b"inspect", b"publish"))
try:
    EventJournal(copy).replay()
except ValueError as error:
    print(error)

# %% [markdown]
# **3.** That was careless: whoever knows how the file is made does not leave the hashes as they were. The bench lets
# seven attackers loose on seven logs. Each wants a revocation gone, and three checks look at what they left.

# %%
from forge.figures import attack_bench

attack_bench()

# %% [markdown]
# Read the middle column. A log that lost its end is a shorter log, and a log that was computed anew is another log;
# both are in order. Only something outside the file tells: `journal.anchor()`, a count and a hash, kept elsewhere.
# And in the last row nothing does, because the anchor lay where the attacker could write.
#
# **4.** Now the other half. Keep two memories, and three summaries with their sources.

# %%
from datetime import UTC, datetime

from forge.memory import MemoryRecord, MemoryScope, MemoryStore
from forge.replay import DerivedSummaryCache

# In a lab nothing need survive a power cut, so nothing waits for the disk.
store = MemoryStore(here / "memories.db", durable=False)
cache = DerivedSummaryCache(here / "summaries.db", durable=False)
private = "the author of the search box was in hospital"
public = "the search box goes out on Friday"

for name, content in ("private-note", private), ("public-note", public):
    text = {"memory_id": name, "subject_id": "user-1", "content": content}
    since = datetime(2026, 8, 10, 9, 0, tzinfo=UTC)
    store.put(MemoryRecord(**text, scope=MemoryScope.USER, created_at=since))

# %%
cache.put("monday", ["private-note"], f"On Monday: {private}.")
cache.put("plan", ["public-note"], f"The plan: {public}.")
week = f"This week: {public}; {private}."
cache.put("week", ["public-note"], week, source_summary_ids=["monday"])

# %% [markdown]
# **5.** Delete the private note everywhere. The result says whether it was stored, and how many summaries went with
# it. Do not take its word for it. The **receipt** was made by searching the bytes of every file of both stores,
# before the deletion and after it, for pieces of all the texts that had to go: the note and the two summaries.

# %%
from forge.figures import receipt_board
from forge.replay import delete_memory_everywhere

deletion = delete_memory_everywhere(store, cache, "private-note")
print(deletion)
print([cache.get(summary) for summary in ("monday", "week", "plan")])
receipt_board(deletion.receipt)

# %% [markdown]
# **6.** Be the colleague who read the note in the morning.

# %%
try:
    cache.put("monday", ["private-note"], f"Once more: {private}.")
except ValueError as error:
    print(error)

# %%
stage.source("forge.replay.deletion:delete_memory_everywhere")

# %% [markdown]
# ### Why it is built this way
#
# Store and cache are two files, and no transaction holds both. The process can be killed between the two deletions,
# so one of these two is what the next one finds.
#
# | The first to go | After a kill there is | Who notices |
# | --- | --- | --- |
# | the memory | a summary without its memory | nobody: whoever asks for the memory is told that it is gone |
# | the summaries | a memory without its summaries | whoever asks for it, and the next call finishes the work |
#
# The contract of this stage is a file of tests. They run here as they run in a terminal.

# %%
stage.tests()

# %% [markdown]
# ## Timeline
#
# Write down what was done. The line in the journal says that something was forgotten, and not what. The run is then
# read back, every hash verified, and handed to the reducer.

# %%
from forge.history import History
from forge.state import apply_event
from forge.timeline import Timeline

happens(4, "step_started", step="forget", memory_id="private-note")
happens(5, "run_completed")
print(journal.path.read_text().splitlines()[3].partition(',"previous_hash"')[0])

history = History(journal.read_events(), apply_event)
Timeline(history, at=4, title="run-1, from its journal")

# %% [markdown]
# ## Guided exercise: delete a memory everywhere
#
# Below is `delete_memory_everywhere` with its work missing. `Search` has already noted where the text stands; it
# has to come before the deletion, because afterwards there is no text to look for. About 8 minutes.
#
# 1. In the order of the boundary, tell the cache and the store. `invalidate_for_memory(memory_id)` removes what was
#    derived and returns how many there were; `delete(memory_id)` returns whether there was a memory.
# 2. Ask yourself what each of the two calls needs to know of the other. A memory may have been swept out weeks ago,
#    and a store may be busy and refuse.
# 3. Return `Deletion(deleted, invalidated, receipt=…)`. `search.receipt()` scrubs the files and searches them
#    again, so it is asked last. What it still finds it calls *found elsewhere*.
#
# Done when `test_deletion_propagates_to_derived_summary_cache` passes, and no summary outlives its memory.

# %%
from forge.replay import Deletion
from forge.replay.deletion import Search


@stage.exercise("delete_everywhere")
def delete_memory_everywhere(memory_store, summary_cache, memory_id):
    """Delete a memory, what was derived from it, and what both left in the files."""
    search = Search(memory_store, summary_cache, memory_id)
    ### BEGIN SOLUTION
    #| # Two deletions and a result, in place of the line below.
    #| raise NotImplementedError("delete_everywhere")
    invalidated = summary_cache.invalidate_for_memory(memory_id)
    deleted = memory_store.delete(memory_id)
    return Deletion(deleted, invalidated, receipt=search.receipt())
    ### END SOLUTION


# %%
stage.hint("delete_everywhere")

# %% [markdown]
# ## Fault lab: the summaries stay behind
#
# **Before you run it.** The faulty function deletes a note and returns `(True, 0)`. Somebody asks the cache for the
# summary of that note, and somebody else reads the receipt. What do they see?
#
# *a.* No summary, and a receipt that says gone. *b.* The text, and a receipt that says gone. *c.* The text, and a
# receipt that says where it still stands.

# %%
stage.inject("summaries_stay")

# %% [markdown]
# It is *c*. Do by hand what the faulty function does, and see its receipt, which asks no function and reads the
# files. Then follow the diagnosis, and mend the function.

# %%
from forge.replay.deletion import Search

search = Search(store, cache, "public-note")
store.delete("public-note")
receipt_board(search.receipt())

# %%
stage.repair("summaries_stay")

# %% [markdown]
# **Debrief.** A deletion follows the text, not the table. What was derived is invalidated explicitly, because no
# store knows of another, and before the memory goes.

# %% [markdown]
# ## Fault lab: the reader that knew too many newlines
#
# **Before you run it.** The payload of event 2 holds the text `a`, the character U+2028, which separates lines, and
# `b`. Event 3 follows. The faulty reader cuts the file wherever Python sees the end of a line. How many events can
# be read? *a.* Three: JSON writes such characters as two others. *b.* Two: the one with the character is lost. *c.* One.

# %%
stage.inject("too_many_newlines")

# %% [markdown]
# It is *c*. The second line is in two pieces, neither of them a record, and nothing behind a line that cannot be
# trusted is trusted. A newline inside a text is written as two characters, a backslash and an n; U+2028 is written
# as it is. The file is whole: read as it was written, it gives all three.

# %%
stage.repair("too_many_newlines")

# %% [markdown]
# **Debrief.** A record ends at the byte that its writer put there, and nowhere else. Cut bytes, before anybody
# decodes them: decoding can fail, and `splitlines` of bytes still cuts at a carriage return.

# %% [markdown]
# ## Transfer challenge: the private note
#
# An office. An assistant keeps two memories of `user-1`, in the scope of the user: `agenda` says *The budget comes
# first, then the move to the second floor.* and `private-note` is private; write a sentence of your own. From both
# it has made the summary `brief`. From the agenda alone it has made the summary `invitation`, which says *Please
# come on Thursday: budget, then the move.*
#
# You are given an empty folder. Keep the memories in `memories.db` and the summaries in `summaries.db`, delete the
# note everywhere, and assert what must be true: the result is `(True, 1)`, the brief is gone, and the invitation is
# what it was. Return the result.
#
# Your function is checked twice. It must be right on forge as it is, and it must *notice*: it is run again on four
# broken editions of forge, and each time one of your assertions has to fail.

# %%
from datetime import UTC, datetime
from pathlib import Path

from forge.memory import MemoryRecord, MemoryScope, MemoryStore
from forge.replay import Deletion, DerivedSummaryCache, delete_memory_everywhere


@stage.transfer("private_note")
def private_note(folder: Path) -> Deletion:
    """Forget a private note, check which summary is gone and which stays."""
    ### BEGIN SOLUTION
    office = MemoryStore(folder / "memories.db", durable=False)
    texts = DerivedSummaryCache(folder / "summaries.db", durable=False)
    agenda = "The budget comes first, then the move to the second floor."
    secret = "I should like to leave the second floor to others."
    invitation = "Please come on Thursday: budget, then the move."
    for name, content in ("agenda", agenda), ("private-note", secret):
        fields = {"memory_id": name, "subject_id": "user-1", "content": content}
        since = datetime(2026, 9, 1, 9, 0, tzinfo=UTC)
        office.put(MemoryRecord(**fields, scope=MemoryScope.USER, created_at=since))
    texts.put("brief", ["agenda", "private-note"], f"Budget first. {secret}")
    texts.put("invitation", ["agenda"], invitation)
    with office, texts:
        result = delete_memory_everywhere(office, texts, "private-note")
        assert result == (True, 1), result
        assert texts.get("brief") is None
        assert texts.get("invitation") == invitation
    return result
    ### END SOLUTION


# %%
stage.hint("private_note")

# %% [markdown]
# ## Explain
#
# In your own words: **how does a hash chain show that a journal was changed, and which changes does it not show?
# And why must derived summaries be invalidated explicitly?** Write between the quotes and run the cell. Then you
# see what a strong answer contains, and mark your own.

# %%
explanation = """
### BEGIN SOLUTION
#|
Every record holds the hash of the one before, and its own covers that: after an edit
the next does not follow. But anybody can compute the hashes again, and a log without its
end is in order; that shows only against an anchor kept elsewhere. The cache hears of no
deletion: somebody has to follow the lineage to its end, remove what is found, and bar it.
### END SOLUTION
"""
### BEGIN SOLUTION
#| stage.explain(explanation)
stage.explain(explanation, covered=(1, 2, 3))
### END SOLUTION

# %% [markdown]
# ## Mastery
#
# You have shown this stage when its three tests pass, when you can say what a chain shows and what only an anchor
# shows, and why and in which order a deletion is carried on. The cell writes your evidence down.

# %%
stage.mastery()

# %% [markdown]
# ### What the seven can do together
#
# A run writes down what happens to it (1) and is one of several that are held apart (2). It saves where it stands in a
# file that can be trusted or refused (3), and goes on from there, provably as if it had never stopped (4). What
# should outlive it is kept within bounds (5), what it reads is shortened without losing what binds (6), and in the
# end it can show what happened, and forget what it must (7).
#
# At 02:14 the container is evicted. At 02:15 the next one starts, and goes on at feature four. That is where
# [the course began](00_start_here.ipynb); go back there to see what you have done, and to check it.

# %% [markdown] jp-MarkdownHeadingCollapsed=true
# ## More practice
#
# Two exercises and three faults, all of kinds that people have met in real systems. About 45 minutes for all of
# them; every one stands on its own. The first two are about forgetting, the others about the journal.

# %% [markdown]
# ### Exercise: ask for the tombstone
#
# `put` asks one question of every source, and here it is empty: may this be a source? The cache keeps its
# tombstones in the table `tombstones (kind, id)`, where `kind` is "memory" or "summary". About 8 minutes.
#
# - `self.database.read(sql, values)` gives the rows that a SELECT finds, `self.get(summary_id)` the text of a
#   summary, or None.
# - `barred(summary_id, kind, source_id)` and `unknown_source(summary_id, source_id)` make the two errors.
#
# Refuse a source that has a tombstone, and a summary that the cache does not hold: without it the lineage has a hole.
# Memories are kept elsewhere, so the cache cannot know them.
#
# Done when `test_a_summary_does_not_come_back_after_its_memory_was_deleted` passes, and no more is refused.

# %%
from forge.replay.summaries import barred, unknown_source


@stage.exercise("tombstone_rule")
def require_live(self, summary_id: str, kind: str, source_id: str) -> None:
    """Refuse a source that is barred, and a summary that is not in the cache."""
    ### BEGIN SOLUTION
    tombstone = "SELECT 1 FROM tombstones WHERE kind = ? AND id = ?"
    if self.database.read(tombstone, (kind, source_id)):
        raise barred(summary_id, kind, source_id)
    if kind == "summary" and self.get(source_id) is None:
        raise unknown_source(summary_id, source_id)
    ### END SOLUTION


# %%
stage.hint("tombstone_rule")

# %% [markdown]
# ### The week that knew of Monday
#
# **Before you run it.** The faulty cache finds the summaries that name a memory among their sources. The week's
# summary names Monday's, and no memory. The note of Monday is deleted. How many summaries go?
#
# *a.* One. *b.* Two. *c.* None: there is an error, because the week has lost a source.

# %%
stage.inject("one_level_deep")

# %%
stage.repair("one_level_deep")

# %% [markdown]
# **Debrief.** It was *a*: the lineage was written down, all of it, and followed for one step. Follow it to its end,
# over what a summary was made of as well as what it is made of now.
#
# ### Exercise: ask the anchors
#
# A reader of a log is given its verified lines, one by one, and some anchors. It gives the same lines on, and
# refuses where they are not what an anchor remembers. About 12 minutes.
#
# - `line[1]` is the number of a line and `line[3]` its record hash; `anchor.count` and `anchor.head` are what an
#   anchor remembers. `due` holds the anchors that have something to ask, smallest count first.
# - `anchor_mismatch(anchor, number, head, path)` makes the error. Its `head` is the hash that was found, or None
#   when the log ends with that number.
#
# Refuse a line that an anchor remembers with another hash; else give it on with `yield`, at once. When there are no
# more lines, refuse a log that ends before an anchor's line. Done when a cut and a rewritten journal are told apart.

# %%
from forge.lines import anchor_mismatch


@stage.exercise("ask_the_anchors")
def agreeing(lines, anchors, path):
    """The same lines; an error where they are not what one of the anchors remembers."""
    due = sorted((a for a in anchors if a and a.count), key=lambda a: a.count)
    ### BEGIN SOLUTION
    number = 0
    for line in lines:
        number = line[1]
        while due and due[0].count == number:
            if due[0].head != line[3]:
                raise anchor_mismatch(due[0], number, line[3], path)
            del due[0]
        yield line
    if due:
        raise anchor_mismatch(due[-1], number, None, path)
    ### END SOLUTION


# %%
stage.hint("ask_the_anchors")

# %% [markdown]
# ### The lock that was let go
#
# **Before you run it.** The faulty append holds the lock while it reads the head of the chain. Then it lets go,
# computes the record and adds it with one write. A second writer appends in between. What does a reader say?
#
# *a.* Nothing: both records are there. *b.* That two writers had read the same end. *c.* That somebody has tampered
# with the file.
#
# One thing matters in the function: what stands inside the lock. `_catch_up` reads the head, `link` makes the
# record, `_write` adds it, and a `Place` is how far this object has read.

# %%
stage.inject("lock_let_go")

# %%
stage.repair("lock_let_go")

# %% [markdown]
# **Debrief.** It was *b*: both records are whole and both follow the same one, which is a **fork**. Many readers
# would have said *c*, and somebody would have looked for an intruder. Reading the head and writing what follows it
# are one step: what was read under a lock is known only as long as the lock is held.
#
# ### The repair that threw three weeks away
#
# **Before you run it.** A power cut has left 512 zeros and a newline after the first of three records. The faulty
# reader calls every line that is no record torn, and `repair()` moves a torn end aside. How many records are left
# in the file after a repair? *a.* Three. *b.* Two. *c.* One.
#
# You need only `ended`, which says whether the line has its newline, and the errors that the cell imports. What
# `earlier` and `unseal` do stays as it is.

# %%
stage.inject("damage_called_torn")

# %%
stage.repair("damage_called_torn")

# %% [markdown]
# **Debrief.** It was *c*: the two records behind the zeros were whole, they lie in another file now, and the journal
# says that it is in order. Torn is what lacks its end, at the end of the file: nobody was told that it had been
# written, so it can be set aside. Damage is everything else, and is loud.
