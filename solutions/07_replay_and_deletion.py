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
# On Monday a developer told an agent why she had been away, and an hour later asked it to forget that. The
# agent deleted the note, and said so. On Friday it wrote the release notes: *the search box comes a week
# late, because its author was in hospital*.
#
# The note was gone. But Monday's summary had been made from it before it went, the week's summary from
# Monday's, and the release notes from the week's. She asked who had read the note. There was a log; its last
# three lines were missing, and it looked complete.
#
# **What has to go when a memory goes? And how does a log show that nothing has gone from it?** These are the
# questions of the last stage. It builds on [stage 5](05_memory_boundaries.ipynb), whose store deletes one
# memory, on [stage 6](06_context_compression.ipynb), which makes texts from texts, and on
# [stage 1](01_state_and_events.ipynb), which rebuilds a run from its events.

# %%
from forge.course import open_stage

stage = open_stage("07_replay_and_deletion")

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
# A journal keeps the events of one run in a file, one a line, and only grows. Each line holds the hash of
# the line before, and its own hash over everything else on it. Lines like these form a **hash chain**:
# change one, and the next does not follow it any more.
#
# A text that was made from others is **derived**, and what it was made from is its **lineage**. A summary of
# a summary has a lineage of two steps, and may hold what stood at its beginning.
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
# *Deleting the private note takes along whatever its arrows lead to. The week goes although half of it comes
# from somewhere else; the plan stays.*
#
# A **tombstone** is what a deletion leaves: an id, and nothing of the text. It bars that id from being a
# source again, because somebody may have read the text an hour ago and be writing a summary of it now.

# %% [markdown]
# ### What it is not
#
# A hash chain is not a lock. It holds no secret, and whoever can write the file can compute every hash
# again. It shows accidents and careless edits.
#
# A journal is no place for texts. It never forgets, so what may have to be forgotten does not go into it: it
# names a memory by its id.
#
# A cache is not told of a deletion by anybody but you. And hiding is not deleting: a row that no query finds
# is still in the file.
#
# ### How it relates to its neighbours
#
# The journal is the log of stage 1 in a file, and `reduce_events` makes a state of it. Checkpoints keep an
# anchor of it (stages 3 and 4): how many records there were, and the hash of the last one. Here you learn
# what that is good for.
#
# The store of stage 5 deletes a memory from its own file. It knows nothing of summaries; the cache of
# summaries knows their lineage. `delete_memory_everywhere` speaks to both.
#
# **Boundary.** A memory is deleted with everything that was derived from it, or it is not deleted. What was
# derived goes first and is barred from coming back. The memory goes last.

# %% [markdown]
# ## Worked example
#
# **1.** Take the run of stage 1: created, inspecting, and without its permission to write.

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
]

# %% [markdown]
# **2.** Write it into a journal. Every append returns the hash of the record it wrote.

# %%
import tempfile
from pathlib import Path

from forge.replay import EventJournal

folder = tempfile.TemporaryDirectory()
here = Path(folder.name)
journal = EventJournal(here / "run-1.jsonl")

for each in events:
    print(journal.append(each))

# %% [markdown]
# Look at the chain. A scan gives every record that can be trusted, and at the end the reason why it stopped.

# %%
from forge.figures import Board

*records, end = journal.scan()
rows = [(str(event.kind), (before[:8], own[:8])) for event, before, own in records]
columns = ("event", "hash before", "its own hash")
Board("run-1.jsonl", columns, rows, caption=f"The scan stopped at: {end.reason}")

# %% [markdown]
# **3.** Read the events back, and replay them.

# %%
from forge.state import reduce_events

print(journal.read_events() == events)
print(journal.replay() == reduce_events(events))

# %% [markdown]
# **4.** Change one word in a copy of the file.

# %%
copy = here / "copy.jsonl"
copy.write_bytes(journal.path.read_bytes().replace(b"inspect", b"publish"))

try:
    EventJournal(copy).replay()
except ValueError as error:
    print(error)

# %% [markdown]
# **5.** That was careless. Whoever knows how the file is made does not leave the hashes as they were. The
# bench lets seven attackers loose on seven logs. Each of them wants a revocation gone, and three checks look
# at what they left.

# %%
from forge.figures import attack_bench

attack_bench()

# %% [markdown]
# Read the middle column. A log that lost its end is a shorter log, and a log that was computed anew is
# another log; both are in order. Only something outside the file tells: an anchor. And in the last row
# nothing does, because the anchor lay where the attacker could write.

# %%
anchor = journal.anchor()
print(anchor.count, anchor.head[:8])

copy.write_bytes(b"".join(journal.path.read_bytes().splitlines(keepends=True)[:2]))
print(EventJournal(copy).replay().write_allowed)

try:
    EventJournal(copy).replay(anchor=anchor)
except ValueError as error:
    print(error)

# %% [markdown]
# **6.** Now the other half. Keep two memories, and three summaries with their sources.

# %%
from datetime import UTC, datetime

from forge.memory import MemoryRecord, MemoryScope, MemoryStore
from forge.replay import DerivedSummaryCache

# In a lab nothing need survive a power cut, so nothing waits for the disk.
store = MemoryStore(here / "memories.db", durable=False)
cache = DerivedSummaryCache(here / "summaries.db", durable=False)


def note(memory_id, content):
    return MemoryRecord(
        memory_id=memory_id,
        scope=MemoryScope.USER,
        subject_id="user-1",
        content=content,
        created_at=datetime(2026, 8, 10, 9, 0, tzinfo=UTC),
    )


# %%
private = "the author of the search box was in hospital"

store.put(note("private-note", private))
store.put(note("public-note", "the search box goes out on Friday"))
cache.put("monday", ["private-note"], f"On Monday: {private}.")
cache.put("plan", ["public-note"], "On Friday the search box goes out.")
week = f"The search box goes out on Friday; {private}."
cache.put("week", ["public-note"], week, source_summary_ids=["monday"])

# %% [markdown]
# **7.** Delete the private note everywhere. The result says whether it was stored, and how many summaries
# went with it.

# %%
from forge.replay import delete_memory_everywhere

deletion = delete_memory_everywhere(store, cache, "private-note")
print(deletion)

for summary in ("monday", "week", "plan"):
    print(summary, cache.get(summary))

# %% [markdown]
# **8.** Do not take its word for it. The **receipt** was made by searching the bytes of every file of both
# stores, before the deletion and after it, for pieces of all the texts that had to go: the note and the two
# summaries.

# %%
from forge.figures import receipt_board

receipt_board(deletion.receipt)

# %% [markdown]
# **9.** Be the colleague who read the note in the morning.

# %%
try:
    cache.put("monday", ["private-note"], f"Once more: {private}.")
except ValueError as error:
    print(error)

# %% [markdown]
# **10.** Write down what was done. The journal says that something was forgotten, and not what.

# %%
journal.append(event(4, "step_started", step="forget", memory_id="private-note"))
journal.append(event(5, "run_completed"))
print(private in journal.path.read_text(encoding="utf-8"))

# %% [markdown]
# This is the real function; what you write in this stage is folded away.

# %%
stage.source("forge.replay.deletion:delete_memory_everywhere")

# %% [markdown]
# ### Why it is built this way
#
# Store and cache are two files, and no transaction holds both. The process can be killed between the two
# deletions, so one of these two is what the next one finds.
#
# | The first to go | After a kill there is | Who notices |
# | --- | --- | --- |
# | the memory | a summary without its memory | nobody: whoever asks for the memory is told that it is gone |
# | the summaries | a memory without its summaries | whoever asks for it, and the next call finishes the work |
#
# Within the cache everything is one transaction. The summaries go and the tombstones come in one step, so
# there is no moment at which a summary is gone and may come back.
#
# In the journal the bytes that are hashed are the bytes that are stored. A reader needs the line and nothing
# else to compute its hash.

# %%
from forge.chain import sha256

line = journal.path.read_bytes().split(b"\n")[0]
hashed = line[: line.rindex(b',"record_hash"')] + b"}"
print(sha256(hashed) == records[0].record_hash)

# %% [markdown]
# The contract of this stage is a file of tests. They run here as they run in a terminal.

# %%
stage.tests()

# %% [markdown]
# ## Timeline
#
# The run once more, this time from its journal: the file was read, every hash was verified, and the events
# were handed to the reducer. Each step shows the hash that its line has. Move to the one that forgets.

# %%
from forge.history import History
from forge.state import apply_event, run_marks
from forge.timeline import Timeline

*records, end = journal.scan()
hashes = {record.event: record.record_hash[:8] for record in records}


def marks(event, before, after):
    forgotten = event.payload.get("memory_id")
    more = [f"◆ forgot {forgotten}"] if forgotten else []
    return [*run_marks(event, before, after), *more]


history = History(
    journal.read_events(),
    apply_event,
    describe=lambda event: f"{event.kind}, hash {hashes[event]}",
    marks=marks,
)
Timeline(history, title="run-1, from its journal")

# %% [markdown]
# ## Guided exercise: delete a memory everywhere
#
# Below is `delete_memory_everywhere` with its work missing. `Search` has already noted where the text
# stands; it has to come before the deletion, because afterwards there is no text to look for. About 8
# minutes.
#
# 1. Tell the cache: `invalidate_for_memory(memory_id)` removes what was derived and returns how many there
#    were. Tell the store: `delete(memory_id)` returns whether there was a memory. Which of them comes first?
# 2. Ask yourself whether one of the calls depends on what the other returned. A memory may have been swept
#    out weeks ago.
# 3. Return `Deletion(deleted, invalidated, receipt=…)`. `search.receipt()` scrubs the files and searches
#    them again.
# 4. Run the cell. It checks your function with the tests of this stage.
#
# Done when `test_deletion_propagates_to_derived_summary_cache` passes, with both numbers right, and no
# summary outlives its memory, wherever the process is killed.

# %%
from forge.memory import MemoryStore
from forge.replay import Deletion, DerivedSummaryCache
from forge.replay.deletion import Search


@stage.exercise("delete_everywhere")
def delete_memory_everywhere(
    memory_store: MemoryStore, summary_cache: DerivedSummaryCache, memory_id: str
) -> Deletion:
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
# Stuck? One hint opens at a time, and none of them is the line.
stage.hint("delete_everywhere")

# %% [markdown]
# ## Fault lab: the summaries stay behind
#
# This lab takes one of your two calls out of forge again.
#
# **Before you run it.** The faulty function deletes a note and returns `(True, 0)`. Somebody asks the cache
# for the summary of that note, and somebody else reads the receipt. What do they see?
#
# - a. No summary, and a receipt that says gone.
# - b. The text, and a receipt that says gone.
# - c. The text, and a receipt that says where it still stands.

# %%
stage.inject("summaries_stay")

# %% [markdown]
# It is *c*. Six tests fail, and the result of the function told nobody. The receipt did: it asked no
# function, it read the files.
#
# Follow the diagnosis, then mend the function.

# %%
stage.repair("summaries_stay")

# %% [markdown]
# **Debrief.** A deletion follows the text, not the table. What was derived is invalidated explicitly,
# because no store knows of another, and before the memory goes.

# %% [markdown]
# ## Fault lab: the reader that knew too many newlines
#
# This one happened to users of a real library. A tool brought a text from the web, the session was saved,
# and it could never be opened again.
#
# **Before you run it.** The payload of event 2 holds the text `a`, the character U+2028, which separates
# lines, and `b`. Event 3 follows. The faulty reader cuts the file wherever Python sees the end of a line.
# How many of the three events can be read?
#
# - a. Three: JSON writes such characters as two others.
# - b. Two: the one with the character is lost.
# - c. One.

# %%
stage.inject("too_many_newlines")

# %% [markdown]
# It is *c*. The second line is in two pieces, neither of them a record, and what stands behind a line that
# cannot be trusted cannot be trusted either. A newline inside a text is written as two characters, a
# backslash and an n; U+2028 is written as it is. The file is whole: read as it was written, it gives all
# three.

# %%
stage.repair("too_many_newlines")

# %% [markdown]
# **Debrief.** A record ends at the byte that its writer put there, and nowhere else. Cut bytes, before
# anybody decodes them.

# %% [markdown]
# ## Transfer challenge: the private note
#
# An office. An assistant keeps two memories of `user-1`, in the scope of the user: `agenda` says *The budget
# comes first, then the move to the second floor.* and `private-note` is private; write a sentence of your
# own. From both it has made the summary `brief`. From the agenda alone it has made the summary `invitation`,
# which says *Please come on Thursday: budget, then the move.*
#
# You are given an empty folder. Keep the memories in `memories.db` and the summaries in `summaries.db`,
# delete the note everywhere, and assert what must be true: the result is `(True, 1)`, the brief is gone, and
# the invitation is what it was. Return the result.
#
# Your function is checked twice. It must be right on forge as it is, and it must *notice*: it is run again
# on three broken editions of forge, and each time one of your assertions has to fail.

# %%
from datetime import UTC, datetime
from pathlib import Path

from forge.memory import MemoryRecord, MemoryScope, MemoryStore
from forge.replay import Deletion, DerivedSummaryCache, delete_memory_everywhere


@stage.transfer("private_note")
def private_note(folder: Path) -> Deletion:
    """Forget a private note, check which summary is gone and which stays."""

    ### BEGIN SOLUTION
    def memory(memory_id, content):
        return MemoryRecord(
            memory_id=memory_id,
            scope=MemoryScope.USER,
            subject_id="user-1",
            content=content,
            created_at=datetime(2026, 9, 1, 9, 0, tzinfo=UTC),
        )

    secret = "I should like to leave the second floor to others."
    invitation = "Please come on Thursday: budget, then the move."
    with (
        MemoryStore(folder / "memories.db", durable=False) as office,
        DerivedSummaryCache(folder / "summaries.db", durable=False) as texts,
    ):
        agenda = "The budget comes first, then the move to the second floor."
        office.put(memory("agenda", agenda))
        office.put(memory("private-note", secret))
        texts.put("brief", ["agenda", "private-note"], f"Budget first. {secret}")
        texts.put("invitation", ["agenda"], invitation)
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
# In your own words: **how does a hash chain show that a journal was changed, and which changes does it not
# show? And why must derived summaries be invalidated explicitly?** Write between the quotes and run the
# cell. Then you see what a strong answer contains, and mark your own.

# %%
explanation = """
### BEGIN SOLUTION
#|
Every record has the hash of the one before in it, and a hash of its own over
that. If somebody edits a record, or takes one out, its hash is another one and
the next record does not follow. But anybody can compute the hashes again, and
a log without its end is fine as a log, so that shows only against an anchor
which is kept somewhere else. The cache of summaries is a file of its own and
does not know that a memory is deleted. Somebody has to follow the lineage, all
the way, remove what is found and bar it.
### END SOLUTION
"""
### BEGIN SOLUTION
#| stage.explain(explanation)
stage.explain(explanation, covered=(1, 2, 3))
### END SOLUTION

# %% [markdown]
# ## Mastery
#
# You have shown this stage when its three tests pass, when you can say what a chain shows and what only an
# anchor shows, and when you can say why and in which order a deletion is carried on. The cell reads your
# evidence and writes it down.

# %%
stage.mastery()

# %% [markdown]
# ### What the seven can do together
#
# A run writes down what happens to it (1) and is one of several that are held apart (2). It saves where it
# stands in a file that can be trusted or refused (3), and goes on from there, provably as if it had never
# stopped (4). What should outlive it is kept within bounds (5), what it reads is shortened without losing
# what binds (6), and in the end it can show what happened, and forget what it must (7).
#
# At 02:14 the container is evicted. At 02:15 the next one starts, and goes on at feature four. That is where
# [the course began](00_start_here.ipynb); go back there to see what you have done, and to check it.

# %% [markdown] jp-MarkdownHeadingCollapsed=true
# ## More practice
#
# Two exercises and six faults, all of kinds that people have met in real systems. About 55 minutes for all
# of them; every one stands on its own. The first four are about forgetting, the others about the journal.

# %% [markdown]
# ### Exercise: ask for the tombstone
#
# `put` asks one question of every source, and here it is empty: may this be a source? The cache keeps its
# tombstones in the table `tombstones (kind, id)`, where `kind` is "memory" or "summary". About 8 minutes.
#
# - `self.database.read(sql, values)` gives the rows that a SELECT finds.
# - `self.get(summary_id)` gives the text of a summary, or None.
# - `barred(summary_id, kind, source_id)` and `unknown_source(summary_id, source_id)` make the two errors.
#
# 1. Refuse a source that has a tombstone.
# 2. Refuse a summary that the cache does not hold: without it the lineage has a hole. Memories are kept
#    elsewhere, so the cache cannot know them.
#
# Done when `test_a_summary_does_not_come_back_after_its_memory_was_deleted` passes, and nothing else is
# refused.

# %%
from forge.replay import DerivedSummaryCache
from forge.replay.summaries import barred, unknown_source


@stage.exercise("tombstone_rule")
def require_live(
    self: DerivedSummaryCache,
    summary_id: str,
    kind: str,
    source_id: str,
) -> None:
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
# ### The summary that came back
#
# **Before you run it.** The faulty cache removes every summary of a deleted note, in one transaction. A
# worker that read the note before finishes its work and puts its summary. What happens?
#
# - a. It is refused: its source is gone.
# - b. It is stored.
# - c. It is stored, and removed by the next deletion of the note.

# %%
stage.inject("comes_back")

# %% [markdown]
# It is *b*. The cache has never known the memories themselves, only their ids, and it has just removed the
# last trace of this one.

# %%
stage.repair("comes_back")

# %% [markdown]
# **Debrief.** What is deleted leaves a tombstone. Without it a deletion is a race with everybody who has
# read the text before.

# %% [markdown]
# ### The week that knew of Monday
#
# **Before you run it.** The faulty cache finds the summaries that name a memory among their sources. The
# week's summary names Monday's, and no memory. The note of Monday is deleted. How many summaries go?
#
# - a. One.
# - b. Two.
# - c. None: there is an error, because the week has lost a source.

# %%
stage.inject("one_level_deep")

# %% [markdown]
# It is *a*. The lineage was written down, all of it, and followed for one step.

# %%
stage.repair("one_level_deep")

# %% [markdown]
# **Debrief.** Lineage is followed to its end. Who deletes one step deep has deleted what was easy to find.

# %% [markdown]
# ### The note that was only hidden
#
# **Before you run it.** The faulty store deletes a memory by letting it end, one instant after it began. No
# query finds it any more. Which of these notices?
#
# - a. A second deletion, which says that there was no memory.
# - b. A search of the file.
# - c. Sweeping, which removes the row on the same evening.

# %%
stage.inject("only_hidden")

# %% [markdown]
# It is *b*. The second deletion says what it would say after a real one. The sweep comes tonight, and you
# have said that the text is gone.

# %%
stage.repair("only_hidden")

# %% [markdown]
# **Debrief.** Hiding is a matter of queries, deleting a matter of bytes. Whoever promises a deletion reads
# the file afterwards.

# %% [markdown]
# ### Exercise: ask the anchors
#
# A reader of a log is given its verified lines, one by one, and some anchors. It gives the same lines on,
# and refuses where they are not what an anchor remembers. About 10 minutes.
#
# - `line[1]` is the number of a line and `line[3]` its record hash; `anchor.count` and `anchor.head` are
#   what an anchor remembers. `due` holds the anchors that have something to ask, smallest count first.
# - `anchor_mismatch(anchor, number, head, path)` makes the error. Its `head` is the hash that was found, or
#   None when the log ends with that number.
#
# 1. Refuse a line that an anchor remembers with another hash, before it is given on.
# 2. When there are no more lines, refuse a log that ends before an anchor's line.
# 3. Give each line on with `yield`, as soon as it may go.
#
# Done when a cut, a rewritten and a grown journal are told apart.

# %%
from collections.abc import Iterable, Iterator
from pathlib import Path

from forge.lines import Anchor, Line, anchor_mismatch


@stage.exercise("ask_the_anchors")
def agreeing(
    lines: Iterable[Line],
    anchors: Iterable[Anchor | None],
    path: Path,
) -> Iterator[Line]:
    """The same lines; an error where they are not what one of the anchors remembers."""
    asking = [anchor for anchor in anchors if anchor and anchor.count]
    due = sorted(asking, key=lambda anchor: anchor.count)
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
# **Before you run it.** The faulty append holds the lock while it reads the head of the chain. Then it lets
# go, computes the record and adds it with one write. A second writer appends in between. What does a reader
# say?
#
# - a. Nothing: both records are there.
# - b. That two writers had read the same end.
# - c. That somebody has tampered with the file.

# %%
stage.inject("lock_let_go")

# %% [markdown]
# It is *b*. Both records are whole and both follow the same one, which is a **fork**. Many readers would
# have said *c*, and somebody would have looked for an intruder.

# %%
stage.repair("lock_let_go")

# %% [markdown]
# **Debrief.** Reading the head and writing what follows it are one step. What was read under a lock is known
# only as long as the lock is held.

# %% [markdown]
# ### The repair that threw three weeks away
#
# **Before you run it.** A power cut has left 512 zeros and a newline after the first of three records. The
# faulty reader calls every line that is no record torn, and `repair()` moves a torn end aside. How many
# records are left in the file after a repair?
#
# - a. Three.
# - b. Two.
# - c. One.

# %%
stage.inject("damage_called_torn")

# %% [markdown]
# It is *c*. The two records behind the zeros were whole. They lie in another file now, and the journal says
# that it is in order.

# %%
stage.repair("damage_called_torn")

# %% [markdown]
# **Debrief.** Torn is what lacks its end, at the end of the file: nobody was told that it had been written,
# so it can be set aside. Damage is everything else, and is loud.

# %% [markdown]
# ### The tamperer that was an encoder
#
# **Before you run it.** The faulty function hashes the event, and stores a text of it that leaves out what
# is empty. The payload of an event says that its reviewer is `None`. What does the reader say of this line?
#
# - a. That its bytes do not give the hash it records.
# - b. Nothing: without the field it means the same.
# - c. That the next line does not follow it.

# %%
stage.inject("object_is_hashed")

# %% [markdown]
# It is *a*: the words for an edit, and nobody has edited anything. An audit that cries wolf is switched off.

# %%
stage.repair("object_is_hashed")

# %% [markdown]
# **Debrief.** Hash the bytes that are stored. Make them once; then no two encoders have to agree, today or
# in ten years.
