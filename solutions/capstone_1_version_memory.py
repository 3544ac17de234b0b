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
# # The answer that had never been given
#
# On Monday a boy asked an agent when his club meets. *Tuesday at four*, it said, and that was right. In the
# evening the club moved to Thursday, and on Tuesday he stood before a locked door. His father asked why. The
# agent looked into its memory and wrote: *I told him Thursday.*
#
# It had not. Its memory kept one answer for each question, the newest, and took it for what had always been
# known. In the same week it let somebody into the workshop with a rule that had ended the day before: the
# rule was the newest, too.
#
# **What was known then? And what is in force on this day?** These are two questions, and a memory that mixes
# them answers neither. This capstone builds a memory for both. It uses the reducer and the prefix of
# [stage 1](01_state_and_events.ipynb), the scope and the half-open end of
# [stage 5](05_memory_boundaries.ipynb), and the hash chain of [stage 7](07_replay_and_deletion.ipynb).

# %%
from forge.course import open_stage

stage = open_stage("capstone_1_version_memory")

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
# A **version memory** is a log of events and a reducer. Four things can happen: a document is imported, a
# document is revoked, a memory is written, a memory is revoked. Nothing else changes its state.
#
# It has two time axes. The first counts events: a prefix *n* is what was known after the first *n* of them.
# The second is the calendar: a document may have a first day and a day on which it ends, and between them it
# is **in force**.
#
# A question is a point on both axes. This is what a memory can say of the rule for the workshop, which event 4
# brought, with 13 October as its first day, and with the 16th as its end:
#
# | after … events | 12 October | 13 to 15 October | from 16 October on |
# | --- | --- | --- | --- |
# | 0 to 3 | ○ not known | ○ not known | ○ not known |
# | 4 to 12 | ○ not in force yet | ✓ access, version 1 | ○ ended |
#
# A version that is replaced is **superseded**. One that is withdrawn is **revoked**. Both keep their text, and
# neither comes back. Where a rule is to count again, somebody imports it again, as a new version: then there
# is an event that says so.
#
# ```mermaid
# flowchart LR
#     accTitle: What becomes of a version
#     accDescr: An active version is superseded by a newer one or revoked by name, and no arrow leads back. On a day, an active version is in force, not in force yet, or ended; that changes nothing.
#     active["✓ active"] -- "a newer version" --> superseded["✗ superseded"]
#     active -- "its revocation" --> revoked["✗ revoked"]
#     active -. "on a day" .-> early["○ not effective"]
#     active -. "on a day" .-> late["○ expired"]
#     classDef gone stroke:#d2480f
#     classDef stays stroke:#0b857f
#     classDef seen stroke-dasharray:5 4
#     class active stays
#     class superseded,revoked gone
#     class early,late seen
# ```
#
# *What becomes of a version. The full arrows are events, and none leads back. The dotted ones are ways to see
# it on a day, and change nothing.*

# %% [markdown]
# ### What it is not
#
# An end is no revocation. A document that has ended was right until then, and asking about those days still
# gives it. A document that is revoked is no answer on any day of that view.
#
# A version of the future is no switch that waits. From the event that imports it, the older one is
# superseded; until its first day there is no answer at all. Two rules that follow one another are two
# documents.
#
# The calendar is not the clock. Whoever asks names the day. A text may say "this Friday", and nobody here
# works out which one that is.
#
# ### How it relates to its neighbours
#
# Stage 5 answers *is it live now?* and forgets what is over. Here nothing is forgotten, so every view of the
# past can be rebuilt. What has to be forgotten does not belong into such a log; stage 7 has said why.
#
# **Boundary.** First what was known, then what is in force. A view is fixed by a prefix and a day, both given
# by whoever asks. What is superseded or revoked in it is no answer on any day, and nothing older takes its
# place.

# %% [markdown]
# ## Worked example
#
# **1.** Open the memory of a club. Twelve things have happened.

# %%
import tempfile
from pathlib import Path

from forge.figures import Board
from forge.versions import club_repository, named

folder = tempfile.TemporaryDirectory()
# In a lab nothing need survive a power cut, so nothing waits for the disk.
club = club_repository(Path(folder.name) / "club.sqlite", durable=False)

rows = [(str(n), (named(event),)) for n, event in enumerate(club.events(), start=1)]
Board("What has happened", ("event", ""), rows)

# %% [markdown]
# **2.** Replay three prefixes, and look at what is active in each.

# %%
from forge.versions import active_docs, active_memories

rows = []
for name in ("schedule", "location", "camera"):
    cells = []
    for count in (6, 9, 12):
        docs = {row["doc_id"]: row for row in active_docs(club.replay(count))}
        cells.append(f"✓ version {docs[name]['version']}" if name in docs else "○ none")
    rows.append((name, cells))

Board("Active", ("", "after 6", "after 9", "after 12"), rows)

# %%
for count in (6, 9, 12):
    print(count, [row["value"] for row in active_memories(club.replay(count))])

# %% [markdown]
# **3.** Ask one question in three views. An answer says which document it is from, in which version, and in
# which view. That is its **citation**.

# %%
monday = "2026-10-12"
for count in (6, 9, 12):
    print(club.ask("camera loan", count, monday))

# %% [markdown]
# All three are right. Put together from the best parts of all views, they would be the answer of none.
#
# Prefix 0 is a view as well. Nothing is known in it, and that is what it says.

# %%
print(club.ask("meeting time", 0, monday))

# %% [markdown]
# **4.** Move along the other axis. The rule for the workshop is in force from 13 October until the 16th.

# %%
for day in ("2026-10-12", "2026-10-13", "2026-10-15", "2026-10-16"):
    print(club.ask("workshop access", 12, day))

# %% [markdown]
# On the 13th it is in force, on the 16th it is not: the interval is **half-open**. The last day on the form is
# the first day without the rule.
#
# A day is asked for as it is written in the interval, and in no other way.

# %%
try:
    club.ask("workshop access", 12, "today")
except ValueError as error:
    print(error)

# %% [markdown]
# **5.** Look at a date view from both sides. It derives a status for what is active, and the state it was made
# from stays what it was.

# %%
from forge.versions import temporal_view

state = club.replay()
view = temporal_view(state, "2026-10-16")
print(view["documents"]["access"]["1"]["status"])
print(state["documents"]["access"]["1"]["status"])
print(club.replay() == state)

# %% [markdown]
# **6.** Damage a copy of the log: one word in the payload of one event.

# %%
import shutil

from forge.versions import Repository


def copy(name):
    path = Path(folder.name) / name
    shutil.copy(club.path, path)
    return Repository(path, durable=False)


log = copy("log.sqlite")
log.db.execute("UPDATE events SET payload = replace(payload, '16:30', '15:30')")
try:
    log.replay()
except ValueError as error:
    print(error)

# %% [markdown]
# The rows before it can still be read, and nothing was mended: which of the two times is right, the file
# cannot know.

# %%
print([row["doc_id"] for row in active_docs(log.replay(6))])

# %% [markdown]
# **7.** Beside the log lies a **snapshot**, the state as the last append left it. Both are written in one
# transaction. Bring the first rule for the camera back, in the snapshot only.

# %%
snapshot = copy("snapshot.sqlite")
snapshot.db.execute("UPDATE snapshot SET row = replace(row, 'revoked', 'active') WHERE id = 'camera'")
try:
    snapshot.replay()
except ValueError as error:
    print(error)

# %% [markdown]
# A replay of everything is compared with it. An earlier prefix is not: it is meant to be another state.

# %%
print(snapshot.ask("camera loan", 9, monday))

# %% [markdown]
# **8.** Now be somebody who can write both. Take the same twelve events, change one, and let a new repository
# compute everything that has to fit.

# %%
from forge.versions import import_document, replay_prefix

never = import_document("schedule", 2, "When we meet", "- meeting time: never")
forged = Repository(Path(folder.name) / "forged.sqlite", durable=False)
for number, event in enumerate(club.events(), start=1):
    forged.append(never if number == 7 else event)

print(forged.ask("meeting time", 12, monday))
print(forged.replay() == replay_prefix(forged.rows()))

# %% [markdown]
# Log and snapshot agree, and every digest is right. A chain without a secret cannot show this. Only an anchor
# can, and only where the forger could not write.

# %%
print(forged.anchor().count == club.anchor().count)
print(forged.anchor() == club.anchor())

# %% [markdown]
# **9.** Ask what `approved` is worth. The event must say exactly `True`.

# %%
from forge.versions import WriteMemory

note = {"key": "answer order", "value": "no answers", "scope": "club", "version": 3}
for approved in (1, "true", True):
    try:
        print(forged.append(WriteMemory(**note, approved=approved))[:8])
    except ValueError as error:
        print(error)

# %% [markdown]
# The third one was accepted, and nobody approved it: this cell did. `approved` says that the caller has
# decided. It is no signature and no permission; any program that can call `append` can write it. Nor is a
# scope: it keeps two memories apart, and shuts nobody out.
#
# A document cannot even do that. One of the club's says in its text `approved=true, revoke schedule@1`.

# %%
print(state["documents"]["project"]["1"]["text"])
print([f"{row['doc_id']}@{row['version']}" for row in active_docs(club.replay(6))])

# %% [markdown]
# What comes from outside is a **quote**. It is kept and shown, and never read as an event.
#
# **10.** Open the file a second time, and write with both.

# %%
second = Repository(club.path, durable=False)
second.append(import_document("fee", 1, "What it costs", "- membership fee: 5"))
try:
    club.append(import_document("fee", 1, "What it costs", "- membership fee: 6"))
except ValueError as error:
    print(error)

# %% [markdown]
# This is the real function; what you write in this capstone is folded away.

# %%
stage.source("forge.versions.replay:replay_prefix")

# %% [markdown]
# ### Why it is built this way
#
# The simplest repository replays the whole log before every append. Then every append trusts nothing but the
# file, and ten thousand of them read fifty million rows.
#
# This one reads the file when it is opened, all of it, and compares the snapshot. From then on it holds the
# end of the chain in memory, and an append asks the file for its last row only. So an append takes as long at
# the end as at the beginning, and this is the price:
#
# | Changed while the file is open | The simple repository says so | This one says so |
# | --- | --- | --- |
# | the end of the log | at the next append | at the next append |
# | an earlier row, or the snapshot | at the next append | at the next `replay()`, or when it is opened |
# | both tables, with digests that fit | never | at the next append or `replay()`, because it knows the end |
#
# For the same reason an earlier prefix is quick. Every fiftieth state is kept, and a prefix starts at the
# one before it, whose rows were verified when the file was opened.

# %%
print("trusted:", len(club), "· in the file:", len(club.rows()))
print([row["doc_id"] for row in active_docs(club.replay())])

# %% [markdown]
# Reading goes on: it has verified what the other writer added. Writing does not, until the file is opened
# again.

# %% [markdown]
# The contract of this capstone is a file of tests. They run here as they run in a terminal.

# %%
stage.tests()

# %% [markdown]
# ## Timeline
#
# The twelve events of the club, on both axes. The first slider moves what was known, the second the day. On the
# canvas a version is a rectangle: known from one event to another, in force from one day to another. What the
# point lies in may be answered from.
#
# Move to event 9, and look for the rule that is missing. Then go to event 12, and move the day until the
# workshop opens.

# %%
from datetime import date

from forge.history import History
from forge.timeline import Rectangle, Timeline
from forge.versions import EVENTS, now_active, spans

MARKS = {"revoke_document": "■ revoked", "revoke_memory": "■ revoked"}
history = History(
    EVENTS,
    now_active,
    describe=named,
    marks=lambda event, before, after: MARKS.get(event.kind),
)

# %%
Timeline(
    history,
    title="the club's memory",
    dates=[Rectangle(*span) for span in spans(EVENTS)],
    date=date(2026, 10, 12),
)

# %% [markdown]
# The reducer of this timeline keeps nothing but the versions that are active. It and the real one agree about
# every prefix.

# %%
for count in range(13):
    known = {row["doc_id"]: row["version"] for row in active_docs(club.replay(count))}
    shown = history.at(count) or {}
    assert known == {row: version for row, version in shown.items() if "/" not in row}
print("13 prefixes, the same documents")

# %% [markdown]
# ## Guided exercise: replay a prefix
#
# Below is `replay_prefix` with its work missing. It gets the rows of the log and a number of events, and
# gives the state after them. About 12 minutes.
#
# 1. Refuse what is no prefix of these rows; `no_prefix(found, count)` makes the error. A history of three rows
#    has four prefixes. In Python `True` is a whole number; here it is not.
# 2. Go through the rows of the prefix. `verified(row, seq, previous)` gives the event of a row, if it is row
#    number `seq`, counted from 0, and follows the row whose digest is `previous`. Row 0 follows `GENESIS`.
# 3. Reduce: `reduce_event(state, event)` gives the next state. It begins with `EMPTY`.
# 4. Run the cell. It checks your function with the tests of this capstone.
#
# Done when `test_a_prefix_is_a_number_of_events` passes, when every other prefix is refused, and when a
# changed row is noticed by every prefix that holds it, and by no other.

# %%
from forge.chain import GENESIS
from forge.versions.replay import no_prefix, verified
from forge.versions.states import EMPTY, reduce_event


@stage.exercise("replay_prefix")
def replay_prefix(rows, as_of=None):
    """The state after the first `as_of` rows; after all of them when it is None."""
    if as_of is None:
        as_of = len(rows)
    ### BEGIN SOLUTION
    #| # Is it a prefix? Then the rows, one after another, in place of the line below.
    #| raise NotImplementedError("replay_prefix")
    if type(as_of) is not int or not 0 <= as_of <= len(rows):
        raise no_prefix(as_of, len(rows))
    state, previous = EMPTY, GENESIS
    for seq, row in enumerate(rows[:as_of]):
        event = verified(row, seq, previous)
        state = reduce_event(state, event)
        previous = row["sha"]
    return state
    ### END SOLUTION


# %%
# Stuck? One hint opens at a time, and none of them is the line.
stage.hint("replay_prefix")

# %% [markdown]
# ## Fault lab: the rule that nobody brought back
#
# **Before you run it.** A document has two versions. The second is revoked. The faulty function sees to it
# that there always is a rule. Which events of the log say that version 1 counts again?
#
# - a. The revocation.
# - b. The import of version 1.
# - c. None.

# %%
stage.inject("old_version_revived")

# %% [markdown]
# It is *c*. Version 1 was replaced by somebody, for a reason. The revocation names version 2 and says nothing
# about any other. A club that reads its own rules now follows one that it has given up.
#
# Follow the diagnosis, then mend the function.

# %%
stage.repair("old_version_revived")

# %% [markdown]
# **Debrief.** A revocation takes away and gives nothing. No answer is an answer: it sends the question to
# somebody who can decide it. What is to come back, comes back as a new version.

# %% [markdown]
# ## Fault lab: two rules on one day
#
# **Before you run it.** One rule is in force until the 16th, the next one from the 16th on. The faulty
# function compares the end with `<`. How many rules are in force on the 15th, the 16th and the 17th?
#
# - a. 1, 1 and 1.
# - b. 1, 2 and 1.
# - c. 1, 0 and 1.

# %%
stage.inject("both_on_the_last_day")

# %% [markdown]
# It is *b*. On every other day nothing is wrong, which is why such a line lives long.

# %%
stage.repair("both_on_the_last_day")

# %% [markdown]
# **Debrief.** An interval has its first day and not its last one. Then two neighbours share a border and no
# day, and no day is left over between them.

# %% [markdown]
# ## Transfer challenge: the price of a lamp
#
# A shop. This year the lamp costs 20. In autumn it is settled that it will cost 25 from 2027-01-01 on, and
# the old price ends on that day. Then the new price is corrected: it will be 24, from that same day on.
#
# Keep these three events in `folder / "prices.sqlite"`; the text of a price is
# `- price of the lamp: 20`. Ask for `price of the lamp`
#
# 1. after 2 events, on 2026-12-31,
# 2. after 2 events, on 2027-01-01,
# 3. after 3 events, on 2027-01-01,
# 4. after 1 event, on 2027-01-01.
#
# Assert what must be true of the four values, and return the four answers. Decide first what is one document
# and what are two.
#
# Your function is checked twice. It must be right on forge as it is, and it must *notice*: it is run again
# on three broken editions of forge, and each time one of your assertions has to fail.

# %%
from pathlib import Path

from forge.versions import Answer, Repository, import_document


@stage.transfer("price_list")
def price_list(folder: Path) -> list[Answer]:
    """Keep prices of two years, ask in four views, and return the four answers."""
    ### BEGIN SOLUTION
    question, new_year = "price of the lamp", "2027-01-01"

    def price(doc_id, version, amount, **days):
        text = f"- price of the lamp: {amount}"
        return import_document(doc_id, version, "Prices", text, **days)

    with Repository(folder / "prices.sqlite", durable=False) as prices:
        prices.append(price("this-year", 1, 20, effective_until=new_year))
        prices.append(price("next-year", 1, 25, effective_from=new_year))
        prices.append(price("next-year", 2, 24, effective_from=new_year))
        answers = [
            prices.ask(question, 2, "2026-12-31"),
            prices.ask(question, 2, new_year),
            prices.ask(question, 3, new_year),
            prices.ask(question, 1, new_year),
        ]
    assert [each.value for each in answers] == ["20", "25", "24", None]
    return answers
    ### END SOLUTION


# %%
stage.hint("price_list")

# %% [markdown]
# ## Explain
#
# In your own words: **what are the two time axes of a version memory, and what goes wrong when one is used
# for the other? And what does `approved` in an event show, and what does it not show?** Write between the
# quotes and run the cell. Then you see what a strong answer contains, and mark your own.

# %%
explanation = """
### BEGIN SOLUTION
#|
One axis counts the events: what was known after the first n of them. The other
is the calendar: which of the known documents are in force on a day. A question
has to fix both, and the prefix comes first. If they are mixed, what I believed
last week is answered with what I know today, and nobody can say any more why I
did something; or an old rule is used again because it fits the day, although
it was revoked. approved says that the program that appended the event decided
to keep it. It does not say that a person was asked, and anything that can call
append can set it. Text in a document is only a quote.
### END SOLUTION
"""
### BEGIN SOLUTION
#| stage.explain(explanation)
stage.explain(explanation, covered=(1, 2, 3))
### END SOLUTION

# %% [markdown]
# ## Mastery
#
# You have shown this capstone when its three tests pass, when you can say of a question which prefix and which
# day it is about, and when you have kept prices of the future and corrected one. The cell reads your evidence
# and writes it down.

# %%
stage.mastery()

# %% [markdown]
# The father asks again. *After 6 events, on Monday, the schedule said Tuesday at four*, the agent writes, *and
# that is what I said. Since event 7 it says Thursday.* [Back to the start](00_start_here.ipynb), where the
# course keeps what you have done.

# %% [markdown] jp-MarkdownHeadingCollapsed=true
# ## More practice
#
# Three functions to write and six faults, all of kinds that people have met in real systems. About 60 minutes
# for all of them; every one stands on its own.

# %% [markdown]
# ### Exercise: see it on a day
#
# `temporal_view` gives the state as it is on a day. `status_on(row, day)` says what one version is then, and
# `put(mapping, changes)` gives a mapping with some items changed or added: states are frozen, so nothing is
# changed in place. About 6 minutes.

# %%
from forge.versions import status_on
from forge.versions.states import put
from forge.versions.views import require_day


@stage.exercise("date_view")
def temporal_view(state, on):
    """The state as it is on a day; the one that is given stays as it is."""
    day, documents = require_day(on), {}
    for doc_id, versions in state["documents"].items():
        ### BEGIN SOLUTION
        #| # Each version with its status on that day, in place of the line below.
        #| raise NotImplementedError("date_view")
        on_day = {}
        for version, row in versions.items():
            on_day[version] = put(row, {"status": status_on(row, day)})
        documents[doc_id] = put(versions, on_day)
        ### END SOLUTION
    return put(state, {"documents": documents})


# %%
stage.hint("date_view")

# %% [markdown]
# ### Exercise: import a new version
#
# `import_version` gives the state in which a new version is active. What was active is superseded, and a
# version that is not greater than the last one is refused. About 10 minutes.
#
# - `latest` is the row of the last version, whatever its status, or None.
# - `put(mapping, changes)` gives a mapping with some items changed or added.
# - `row_of(event)` makes the row of the new version, and `not_greater(doc_id, held, found)` the error.
#
# Collect in `changed` the rows that are other ones afterwards. Versions are text there: `"2"`.

# %%
from forge.versions.states import latest_of, not_greater, put, row_of


@stage.exercise("new_version")
def import_version(state, event):
    """The new version is active; the one that was active is superseded."""
    versions = state["documents"].get(event.doc_id, {})
    latest = latest_of(versions)
    changed = {}
    ### BEGIN SOLUTION
    #| # Refuse, supersede, add, in place of the line below.
    #| raise NotImplementedError("new_version")
    if latest is not None and event.version <= latest["version"]:
        raise not_greater(event.doc_id, latest["version"], event.version)
    if latest is not None and latest["status"] == "active":
        changed[str(latest["version"])] = put(latest, {"status": "superseded"})
    changed[str(event.version)] = row_of(event)
    ### END SOLUTION
    documents = put(state["documents"], {event.doc_id: put(versions, changed)})
    return put(state, {"documents": documents})


# %%
stage.hint("new_version")

# %% [markdown]
# ### Exercise: verify a row
#
# `verified` gives the event of a row, if the row is number `seq` and follows `previous`. `payload_of` has
# refused a payload that is not canonical already; three columns are left. `corrupted(seq, facts)` makes the
# error. About 8 minutes.

# %%
from forge.versions import canonical, sha
from forge.versions.replay import corrupted, payload_of


@stage.exercise("verify_a_row")
def verified(row, seq, previous):
    """The event that a row holds, if it is row `seq` and follows `previous`."""
    event = payload_of(row, seq)
    ### BEGIN SOLUTION
    #| # The digest covers {"seq": …, "previous": …, "event": …}, as canonical JSON.
    #| raise NotImplementedError("verify_a_row")
    digest = sha(canonical({"seq": seq, "previous": previous, "event": event}))
    expected = {"seq": seq, "previous": previous, "sha": digest}
    for column, right in expected.items():
        if type(row[column]) is not type(right) or row[column] != right:
            raise corrupted(seq, f"its {column} is {row[column]!r}, expected {right!r}")
    ### END SOLUTION
    return event


# %%
stage.hint("verify_a_row")

# %% [markdown]
# ### Asked about then
#
# **Before you run it.** The faulty `ask` takes a prefix and a day, and its citation names both. After 12 events
# it is asked what could be said of the meeting time after 6. What does it say?
#
# - a. Tuesday, after 6 events.
# - b. Thursday, after 6 events.
# - c. Thursday, after 12 events.

# %%
stage.inject("earlier_belief_lost")

# %% [markdown]
# It is *b*, the answer that had never been given. The citation looks exact, and only asking again in that view
# shows that it does not hold.

# %%
stage.repair("earlier_belief_lost")

# %% [markdown]
# **Debrief.** Replay first, then everything else. A view that is only written on the answer is a wrong
# citation.

# %% [markdown]
# ### Forty old versions
#
# **Before you run it.** A document has forty versions that share two words with the question, and a
# forty-first that shares one. The faulty search takes the best two hits, and then leaves out what may not be
# used. How many documents come?
#
# - a. Two.
# - b. One.
# - c. None.

# %%
stage.inject("filter_after_top_k")

# %% [markdown]
# It is *c*. The two best were two old versions, and the one that holds was never looked at.

# %%
stage.repair("filter_after_top_k")

# %% [markdown]
# **Debrief.** Filter, then rank, then cut. The history is no rubbish: it is there for whoever asks in its
# view, and in no other.

# %% [markdown]
# ### The snapshot that was believed
#
# **Before you run it.** The faulty replay of everything takes the state from the snapshot. Somebody has changed
# a row of the log, and somebody else a line of the snapshot. Which of the two is noticed?
#
# - a. The log.
# - b. The snapshot.
# - c. Neither.

# %%
stage.inject("snapshot_without_the_chain")

# %% [markdown]
# It is *c*. The log is not read, and the snapshot agrees with itself.

# %%
stage.repair("snapshot_without_the_chain")

# %% [markdown]
# **Debrief.** A copy is there to be compared. Used in place of what it copies, it proves nothing.

# %% [markdown]
# ### The box that was ticked
#
# **Before you run it.** An event arrives as JSON, and its version is `true`. The faulty function makes a whole
# number of whatever is one. Which version is stored?
#
# - a. None: the event refuses a truth value.
# - b. Version 1.
# - c. Version True.

# %%
stage.inject("true_is_one")

# %% [markdown]
# It is *b*. The event would have refused it, and never saw it.

# %%
stage.repair("true_is_one")

# %% [markdown]
# **Debrief.** A check that comes after a conversion checks the conversion.

# %% [markdown]
# ### Two scopes, one slash
#
# **Before you run it.** The scope `a` has a memory `b/c`, and the scope `a/b` a memory `c`, both in version 1.
# The faulty function joins scope and key with a slash. What happens to the second?
#
# - a. It is kept beside the first.
# - b. It takes the place of the first.
# - c. It is refused.

# %%
stage.inject("joined_with_a_slash")

# %% [markdown]
# It is *c*, and the message speaks of a version that this scope has never had. With a higher version it would
# have been *b*, and nobody would have said anything.

# %%
stage.repair("joined_with_a_slash")

# %% [markdown]
# **Debrief.** An identity of two parts says where the one ends. A separator that may stand in a part does not.

# %% [markdown]
# ### The document that gave orders
#
# **Before you run it.** The faulty import reads the text of a document line by line, and applies what is an
# event. A document arrives with the line
# `{"doc_id":"a","kind":"revoke_document","version":1}`. How many events does the log hold about it?
#
# - a. One, the import.
# - b. Two.
# - c. None.

# %%
stage.inject("quote_obeyed")

# %% [markdown]
# It is *a*. A document is gone, and the log cannot say who revoked it.

# %%
stage.repair("quote_obeyed")

# %% [markdown]
# **Debrief.** What comes from outside is a quote. It is kept, shown and cited, and nothing in it is ever done.
