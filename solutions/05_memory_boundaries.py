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
# # The freeze that was over
#
# On Friday at 17:00 a user told an agent: *do not touch the checkout page until Monday at 08:00*. The agent
# wrote it down, with the hour at which it would end. On Tuesday the same user asked for a fix of the checkout
# page, and the agent refused.
#
# Until now every run began with nothing: [stage 4](04_recovery_equivalence.ipynb) rebuilt the state of one
# run, exactly, and the next run knew none of it. **What may outlive a run, who finds it, and until when?** That
# is the question of this stage.

# %%
from forge.course import open_stage

stage = open_stage("05_memory_boundaries")

# %% [markdown]
# ## Predict
#
# Choose before you read on. Your choice is kept, and the reasons for every option appear once it is made.

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
# A **memory** is a record that outlives the run that learned it. Its **scope** says how far it reaches: one
# run, one session, or one user across all sessions. Its **subject** names that run, session or user. It may
# say where it comes from, its `source`, and have an end, `expires_at`.

# %%
from datetime import UTC, datetime, timedelta

from forge.memory import MemoryRecord, MemoryScope

RUN, SESSION, USER = MemoryScope

freeze = MemoryRecord(
    memory_id="m1",
    scope=USER,
    subject_id="user-1",
    content="do not touch the checkout page",
    created_at=datetime(2026, 8, 14, 17, 0, tzinfo=UTC),
    expires_at=datetime(2026, 8, 17, 8, 0, tzinfo=UTC),
)
print(freeze.scope, freeze.subject_id, freeze.expires_at)

# %% [markdown]
# A memory is **live** as long as its end has not come. At that very moment it is over: of two memories, one
# until eight and one from eight on, eight o'clock belongs to the second. A memory without an end stays until
# it is deleted.
#
# ```mermaid
# %%{init: {"gantt": {"barHeight": 26, "barGap": 6, "fontSize": 13, "sectionFontSize": 14, "leftPadding": 90, "topPadding": 52, "gridLineStartPadding": 40}, "themeCSS": ".section{fill:none} .task{fill:#0b857f;stroke:none} .crit0,.crit1,.crit2{fill:#a87400;stroke:none} .taskText{fill:#fff} .grid .tick line{stroke:#8c959f;opacity:.5} .grid .tick text{font-size:13px}"}}%%
# gantt
#     accTitle: Three scopes on one morning
#     accDescr: A memory of the user reaches across both sessions, or to its own end. One of a session reaches across the runs of that session, and one of a run no further than the run.
#     dateFormat HH:mm
#     axisFormat %H:%M
#     tickInterval 1hour
#     todayMarker off
#     section user
#     prefers short answers    :u1, 08:00, 12:00
#     no release before ten    :crit, u2, 08:00, 10:00
#     section session
#     answer in German         :s1, 08:00, 09:50
#     answer in English        :s2, 10:10, 12:00
#     section run
#     branch search            :r1, 08:10, 08:55
#     branch filter            :r2, 09:00, 09:50
#     branch export            :r3, 10:20, 11:40
# ```
#
# *How far a memory reaches on one morning with two sessions and three runs: the user's through all of it, a
# session's through its runs, a run's through one. The amber bar has an end of its own, its `expires_at`.*
#
# ### What it is not
#
# A memory is not the state of a run. State says where one run stands, and its events give it back; nothing
# gives back a memory. A memory is not the talk so far, shortened, either: somebody decided that this one
# sentence is worth keeping, for whom and how long.
#
# A scope ends nothing. When a run is over, its memories are still in the file; nobody asks for them any
# more. And a scope is no permission: the store answers whoever names it.
#
# ### How it relates to its neighbours
#
# A checkpoint (stage 3) brings back a run and no memory. Forgetting a memory changes no run. A **context**
# (stage 6) is what one call of the model gets to see: a memory has a say in it only when a query found it and
# somebody put it in.
#
# **Boundary.** A query asks three things of every memory: is it of this scope, is it of this subject, is it
# live now? What fails one of them is not in the answer, whatever else is in the file.

# %% [markdown]
# ## Worked example
#
# The agent of this course adds a feature to a front-end repository. It knows something about its user, about
# this session, and about this run.
#
# **1.** Open a store, and put the three memories.

# %%
import tempfile
from pathlib import Path

from forge.memory import MemoryStore

folder = tempfile.TemporaryDirectory()
# In a lab nothing need survive a power cut, so nothing waits for the disk.
store = MemoryStore(Path(folder.name) / "memories.db", durable=False)


# %%
def note(memory_id, scope, subject_id, content):
    names = {"memory_id": memory_id, "scope": scope, "subject_id": subject_id}
    return MemoryRecord(**names, content=content, created_at=freeze.created_at)


store.put(freeze)
store.put(note("m2", SESSION, "session-1", "answer in German"))
store.put(note("m3", RUN, "run-1", "branch: search"))

# %% [markdown]
# **2.** On Saturday, ask for each of them, and for another run.

# %%
saturday = datetime(2026, 8, 15, 12, 0, tzinfo=UTC)
askers = (RUN, "run-1"), (SESSION, "session-1"), (USER, "user-1"), (RUN, "run-2")

for scope, name in askers:
    found = store.query(scope, name, now=saturday)
    print(scope, name, [memory.content for memory in found])

# %% [markdown]
# **3.** Let time pass. Nobody touches the store between these three questions, and the last is Tuesday's. The
# agent had asked whose the note was, and not whether it was over.

# %%
monday = freeze.expires_at

for now in (monday - timedelta(microseconds=1), monday, monday + timedelta(days=1)):
    found = store.query(USER, "user-1", now=now)
    print(now, [memory.content for memory in found])

# %% [markdown]
# **4.** Change one. A replacement carries a content, an end and a source; when the memory was made stays what
# it was.

# %%
changed = note("m2", SESSION, "session-1", "answer in English")
renewed = store.replace(changed, now=saturday)
print(renewed.content, renewed.created_at == freeze.created_at)

# %% [markdown]
# **5.** Delete one, twice. Deleting is **explicit**: it names a memory, and says whether there was one. It is
# **idempotent**: the second time is no error and changes nothing. It names no scope, because it is the act of
# whoever keeps the store and must reach every memory in it; the boundary is in reading, where one user could
# learn what another has said.
#
# **6.** Sweep, twice. The freeze has been hidden since Monday; now its row goes too.

# %%
print("deleted:", store.delete("m3"), store.delete("m3"))
print("swept:  ", store.purge_expired(now=monday), store.purge_expired(now=monday))

# %% [markdown]
# This is the real query; what you write in this stage is folded away.

# %%
stage.source("forge.memory:MemoryStore.query")

# %% [markdown]
# ### Why it is built this way
#
# The scope and the subject are not filters that a caller may add. They are two parameters that nobody can
# leave out, and one text, `INSIDE`, that every way to read puts into its statement:
# `scope = :scope AND subject_id = :subject_id`.
#
# The store keeps times as whole numbers, the microseconds since 1970 in UTC. You will often read that ISO
# times can be compared as text, because they sort like times. They do while all of them are in one zone and
# written in one way.

# %%
from forge.instants import instant

ended = datetime.fromisoformat("2026-08-17T08:00:00+09:00")
asked = datetime.fromisoformat("2026-08-17T07:30:00+00:00")

print("over, as time:   ", ended <= asked)
print("over, as text:   ", ended.isoformat() <= asked.isoformat())
print("over, as numbers:", instant(ended) <= instant(asked))

# %% [markdown]
# Eight o'clock in Tokyo is 23:00 of the day before in UTC. As text this memory ends nine hours late. A time
# that does not say its offset is no moment, and `instant` refuses it while the one who wrote it can mend it.
#
# The contract of this stage is a file of tests, that refusal among them. They run here as in a terminal.

# %%
stage.tests()

# %% [markdown]
# ## Timeline
#
# A store keeps no history: it holds what is there now. This is what happened to yours, written down beside
# it, with a reducer that says what can be found after each step. Move through it, and look for two steps: the
# one that nobody took, and the one that changes nothing.

# %%
from forge.history import History
from forge.timeline import Timeline

steps = ["put m1 freeze", "put m2 German", "put m3 search", "replace m2 English"]
steps += ["delete m3", "expire m1", "sweep m1"]


def findable(state, event):
    _, memory_id, *content = event.split()
    others = {name: text for name, text in state.items() if name != memory_id}
    return {**others, memory_id: content[0]} if content else others


# %%
ends = {"delete m3": "■ deleted", "expire m1": "■ expired"}
history = History(steps, findable, initial={}, marks=lambda step, *_: ends.get(step))
Timeline(history, title="what can be found")

# %% [markdown]
# Nobody took step 6. The row of m1 stayed as it was, and the clock went past it. Step 7 removed the row, and
# no question gets another answer for it.

# %% [markdown]
# ## Guided exercise: hide what has expired
#
# Below is `query` with one of its three questions missing: is the memory live? About 10 minutes.
#
# 1. Find the place. `values` holds what the statement needs, each by the name that stands behind a colon in
#    the statement: `:limit` is `values["limit"]`.
# 2. Put the number of `now` into `values`. In the text of a statement a value would be read as SQL.
# 3. Complete `where`, the condition in SQL. `INSIDE` asks for the scope and the subject. What must it ask of
#    the column `expires_at`? Where a memory has no end, that column is empty; SQL asks for this with
#    `expires_at IS NULL`.
# 4. Run the cell. It checks your function with the tests of this stage.
#
# Done when `test_expired_memory_is_hidden_and_can_be_purged` passes: what has expired is hidden, in whatever
# zone it was written and at its very moment, and everything else is still found.

# %%
from forge.instants import instant
from forge.memory import INSIDE, at_most, boundary, record_of


@stage.exercise("hide_the_expired")
def query(self, scope, subject_id, *, now=None, limit=None):
    """The live memories of one subject in one scope, at most the first `limit`."""
    values = {**boundary(scope, subject_id), "limit": at_most(limit)}
    ### BEGIN SOLUTION
    #| # Is it live? Put now into values, complete where, and delete the raise.
    #| where = f"{INSIDE} AND …"
    #| raise NotImplementedError("hide_the_expired")
    values["now"] = instant(now)
    where = f"{INSIDE} AND (expires_at IS NULL OR :now < expires_at)"
    ### END SOLUTION
    order = "ORDER BY created_at, memory_id LIMIT :limit"
    rows = self.database.read(f"SELECT * FROM memories WHERE {where} {order}", values)
    return [record_of(row) for row in rows]


# %%
# Stuck? One hint opens at a time, and none of them is the line.
stage.hint("hide_the_expired")

# %% [markdown]
# ## Fault lab: the memory that came back
#
# Your check keeps a promise. This lab takes it out of forge again and lets you see what the promise was
# worth. You have written the line before; this time the way to it is what counts.
#
# **Before you run it.** A user has two memories: one ended at 09:55, the other has no end. At 10:00 the faulty
# query is asked for both. What does it return?
#
# a. The second. b. Both. c. Nothing: there is an error.

# %%
stage.inject("expired_returned")

# %%
stage.repair("expired_returned")

# %% [markdown]
# **Debrief.** It was *b*, and nothing in the answer told the two apart. Reading decides whether a memory is
# live, when it reads. Sweeping saves space. A store that relies on its sweeper is right once an hour.
#
# And reading decides before it counts: filter, then limit. What is not in the answer must not use the limit up.

# %% [markdown]
# ## Fault lab: the year that ended early
#
# **Before you run it.** `instant` now reads a time as far as its seconds, nineteen letters, and all times
# have one shape. A memory ends on 31 December at 23:59:59 in New York, five hours behind UTC. Somebody asks
# for it on New Year's Day at 02:00 UTC. Is it found?
#
# a. Yes: it has three more hours. b. No. c. There is an error: the zones differ.

# %%
stage.inject("offset_cut_off")

# %%
stage.repair("offset_cut_off")

# %% [markdown]
# **Debrief.** It was *b*. The query was as you wrote it, and right; it compared two numbers that stood for
# something else. A time is a moment. Its text is one of many spellings of that moment, and the offset, at the
# end of the text, decides which. Turn it into a number once, where it comes in.

# %% [markdown]
# ## Transfer challenge: the song
#
# A studio. User `user-1` prefers minor keys, and says so for five minutes: the content is `prefers minor keys`,
# made at 2026-08-17 09:00 UTC, with its end at 09:05. Run `run-1` notes `draft saved`, also at 09:00, without
# an end.
#
# Put both into one store, `folder / "songs.db"`. At 10:00 ask for USER `user-1` and for RUN `run-1`, assert
# what must be true of each answer, and return the two: preferences, drafts.
#
# Your function is checked twice. It must be right on forge as it is, and it must *notice*: it is run again
# on three broken editions of forge, and each time one of your assertions has to fail.

# %%
from datetime import UTC, datetime, timedelta
from pathlib import Path

from forge.memory import MemoryRecord, MemoryScope, MemoryStore


@stage.transfer("song_memories")
def song_memories(folder: Path) -> tuple[list[MemoryRecord], list[MemoryRecord]]:
    """Keep a preference that ends and a draft; return what is found of each at ten."""
    ### BEGIN SOLUTION
    nine = datetime(2026, 8, 17, 9, 0, tzinfo=UTC)
    ends, ten = nine + timedelta(minutes=5), nine + timedelta(hours=1)

    def note(scope, subject_id, content, **end):
        names = {"memory_id": subject_id, "scope": scope, "subject_id": subject_id}
        return MemoryRecord(**names, content=content, created_at=nine, **end)

    with MemoryStore(folder / "songs.db") as songs:
        songs.put(note(MemoryScope.USER, "user-1", "prefers minor keys", expires_at=ends))
        songs.put(note(MemoryScope.RUN, "run-1", "draft saved"))
        preferences = songs.query(MemoryScope.USER, "user-1", now=ten)
        drafts = songs.query(MemoryScope.RUN, "run-1", now=ten)
    assert preferences == []
    assert [each.content for each in drafts] == ["draft saved"]
    return preferences, drafts
    ### END SOLUTION


# %%
stage.hint("song_memories")

# %% [markdown]
# ## Explain
#
# In your own words: **why are there three scopes, run, session and user? What goes wrong with one?** Write
# between the quotes and run the cell. Then you see what a strong answer contains, and mark your own.

# %%
explanation = """
### BEGIN SOLUTION
#|
The scopes reach differently far. What a run tried out misleads the next one;
what a user prefers should be known in every session. With one scope a passing
decision becomes a preference, and one user gets what another one said. But a
scope ends nothing: the store forgets when expires_at comes or on a delete.
### END SOLUTION
"""
### BEGIN SOLUTION
#| stage.explain(explanation)
stage.explain(explanation, covered=(1, 2, 3))
### END SOLUTION

# %% [markdown]
# ## Mastery
#
# You have shown this stage when your query passes its tests, you can say what bounds a memory and what ends
# it, and you have kept memories of two scopes apart. The cell reads your evidence and writes it down.

# %%
stage.mastery()

# %% [markdown]
# Forge can now keep what outlives a run. [Stage 6](06_context_compression.ipynb) decides how much of it one
# call of the model gets to see, and what must be in it word for word.

# %% [markdown] jp-MarkdownHeadingCollapsed=true
# ## More practice
#
# Two more functions to write and three more faults, all of kinds that people have met in real systems. About
# 35 minutes for all of them; every one stands on its own. `INSIDE` and `LIVE`, which their cells import, are
# the halves of your condition: the boundary, and whether a memory is live. `rewrite` writes a table anew, so
# that nothing of what left it stays in the bytes of the file.
#
# Some memories have a **key**, which names the question they answer, such as what a user drinks. Of two
# memories with one scope, subject and key the store keeps the one that was made later.

# %% [markdown]
# ### Exercise: sweep what is hidden
#
# A query hides what has expired, and the row stays. `purge_expired` removes it. Write the one statement that
# deletes at `now` exactly what a query hides at `now`: no row more, no row less. About 6 minutes.
#
# In SQL it begins with `DELETE FROM memories WHERE`; the cursor that `execute` returns says in its `rowcount`
# how many rows went.

# %%
from forge.instants import instant


@stage.exercise("sweep_what_is_hidden")
def purge_expired(self, *, now=None):
    """Delete every memory that is no longer live; how many there were."""
    with self.database.writing() as connection:
        ### BEGIN SOLUTION
        #| # Run the statement with connection.execute(…), let `gone` be the number of rows
        #| # that it deleted, and delete the raise.
        #| raise NotImplementedError("sweep_what_is_hidden")
        sql = "DELETE FROM memories WHERE expires_at <= :now"
        gone = connection.execute(sql, {"now": instant(now)}).rowcount
        ### END SOLUTION
        if gone:
            self.database.rewrite("memories")
    return gone


# %%
stage.hint("sweep_what_is_hidden")

# %% [markdown]
# ### Exercise: the later one stays
#
# In June a user drinks tea, in July coffee, and the two notes have one key. `put` calls `_supersede` before it
# adds a memory, in a transaction that it has opened: `self.connection` writes into that one. Make room for a
# memory that is later than the stored one, and refuse one that is not. About 8 minutes.

# %%
from forge.errors import StaleMemory
from forge.memory import INSIDE


@stage.exercise("the_later_one_stays")
def _supersede(self, row):
    """Make room for the memory in `row`: the one with its key goes, if it is older."""
    sql = f"SELECT * FROM memories WHERE {INSIDE} AND key = :key"
    rows = self.database.read(sql, row)
    if not rows:
        return
    [stored] = rows
    ### BEGIN SOLUTION
    #| # If row is not later than stored, raise StaleMemory(words, facts); the words are
    #| # "the memory is stale". Else delete the stored one, with self.connection.execute(…).
    #| # Then delete the line with NotImplementedError.
    #| raise NotImplementedError("the_later_one_stays")
    if row["created_at"] <= stored["created_at"]:
        raise StaleMemory(
            "the memory is stale",
            f"{row['memory_id']} is not later than {stored['memory_id']}.",
        )
    gone = (stored["memory_id"],)
    self.connection.execute("DELETE FROM memories WHERE memory_id = ?", gone)
    ### END SOLUTION
    self.database.rewrite("memories")


# %%
stage.hint("the_later_one_stays")

# %% [markdown]
# ### The id that was in a log
#
# **Before you run it.** A second way to read takes an id. An id names one memory, so it asks for nothing else
# but whether that memory is live. User 2 has the id of a memory of user 1. What do they get?
#
# a. Nothing. b. The memory of user 1. c. An error.

# %%
stage.inject("scope_forgotten")

# %%
stage.repair("scope_forgotten")

# %% [markdown]
# **Debrief.** It was *b*, and whoever asked through `query` still got the right answer. The boundary lives in
# the store, in one place, and every way to read goes through it. That an id is hard to guess is no boundary: it
# stands in logs, in events, and in whatever was copied from them.

# %% [markdown]
# ### The correction that made a memory younger
#
# **Before you run it.** `replace` now takes over the time of creation too. A note from nine o'clock is mended
# at ten. At eleven a memory with the same key arrives that somebody made at half past nine. What becomes of it?
#
# a. It takes the place of the note from nine. b. It is refused as stale. c. Both are kept.

# %%
stage.inject("creation_moved")

# %%
stage.repair("creation_moved")

# %% [markdown]
# **Debrief.** It was *b*: half past nine is not later than ten, and mending a typing error overruled what the
# user had said. What a change means is listed: content, end and source. When a memory was made has happened,
# and a correction does not make it happen later.

# %% [markdown]
# ### Done, said the agent
#
# **Before you run it.** `delete` now reports success when no error was raised. A user asks to forget a memory,
# and the id is of another store. What does `delete` return, and what is gone?
#
# a. False, and nothing. b. True, and nothing. c. True, and the memory in the other store.

# %%
stage.inject("nothing_deleted")

# %%
stage.repair("nothing_deleted")

# %% [markdown]
# **Debrief.** It was *b*, and the user was told that it was done. The count is the answer. That nothing went
# wrong says that the statement ran, and it says nothing about what the statement did.
