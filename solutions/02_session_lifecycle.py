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
# # Two attempts, one name
#
# At 23:40 an agent that was adding a search field to a front-end repository failed. Its worker tried again
# under the name it had, run-1. At 23:58 run-1 completed.
#
# In the morning the build was red. Somebody asked what run-1 had changed and got one list, with the half-made
# changes of the first attempt among those of the second. Nothing was lost and nothing was forged. Two
# executions answered to one name.
#
# **What is the second attempt called, and who sees to it that nobody calls it run-1?** That is the question
# of this stage. It builds on [stage 1](01_state_and_events.ipynb), where there was one run with one history.

# %%
from forge.course import open_stage

stage = open_stage("02_session_lifecycle")

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
# ## Concept
#
# ### What it is
#
# A **session** holds runs that belong together: the attempts at one task, or tasks done side by side. Of each
# run it knows three things, which are its **run record**: the id, the status, and which run it tries again.
#
# `start_run` gives the session with one more run. The session that it was given stays as it was.

# %%
from forge.state import Session, finish_run, start_run

empty = Session(session_id="session-a")
started = start_run(empty, "run-1")

print(started.runs[0].model_dump(mode="json"))
print("started:", started.active_run_ids, "empty:", empty.active_run_ids)

# %% [markdown]
# A run that has started is **active** until it is finished, as completed, failed or cancelled.
#
# ```mermaid
# stateDiagram-v2
#     accTitle: The statuses of a run in its session
#     accDescr: A run starts active and ends once, as completed, failed or cancelled.
#     direction LR
#     [*] --> active: start_run
#     active --> completed: finish_run
#     active --> failed: finish_run
#     active --> cancelled: finish_run
# ```
#
# A run starts active and ends once; no arrow leads back, so a second attempt needs a run of its own.
#
# ### What it is not
#
# A session is not a run. A run is one execution and has an end. A session has none, it can always take one
# more run.
#
# It is not a history either. It says where its runs stand, and what happened in them is in each run's own
# journal. And it is not a conversation: what a user wrote, and what a model gets to see, is kept elsewhere.
#
# ### How it relates to its neighbours
#
# ```mermaid
# flowchart LR
#     accTitle: A session and its runs
#     accDescr: The session holds run-1, which failed, run-2, which is active, and run-3, which tries run-1 again. Each run has a journal of its own.
#     subgraph session-a
#         direction RL
#         third["run-3 · active<br/>its journal: 2 events"] -- retries --> first["run-1 · failed<br/>its journal: 9 events"]
#         second["run-2 · active<br/>its journal: 5 events"]
#     end
#     style session-a fill:none,stroke:#7d8590
# ```
#
# Three runs, three ids, three journals: the id ties an event to its run, and a run to its session.
#
# A **retry** is a new run that names the run it tries again. Only a run that failed or was cancelled is tried
# again, and only once; the attempt after that tries the last one.
#
# The state of stage 1 tells a created run from a running one; to the session both are active. A run is
# cancelled from outside, so its journal may end in the middle of a step. A checkpoint belongs to one run and
# not to a session (stage 3).
#
# **Boundary.** An id names one run of its session for as long as the session is kept. An id that the session
# already holds is refused, whatever has become of its run.

# %% [markdown]
# ## Worked example
#
# **1.** Start two runs. Both are active at once.

# %%
session = Session(session_id="session-a")
session = start_run(session, "run-1")
session = start_run(session, "run-2")
session.active_run_ids

# %% [markdown]
# **2.** The first one fails. The second goes on.

# %%
session = finish_run(session, "run-1", "failed")
session.active_run_ids

# %% [markdown]
# **3.** Try run-1 again, and read all the runs in the order they were started. The failure stays where it is,
# and run-3 says what it is for.

# %%
session = start_run(session, "run-3", retries="run-1")

for run in session.runs:
    print(run.run_id, run.status, run.retries)

# %% [markdown]
# This is the real `start_run`. Folded away is one question and its refusal, which you write in this stage; two
# lines are enough for it.

# %%
stage.source("forge.state.session:start_run")

# %% [markdown]
# ### Why it is built this way
#
# `start_run` asks its questions first and adds the run last, so a refusal leaves nothing half done. Whoever
# holds the old session still holds a whole one. The price is that you must keep what comes back: write
# `start_run(session, "run-4")` without `session =`, and there is no run-4.
#
# `active_run_ids` is not a second list that has to be kept up to date. It is worked out from the statuses each
# time, so the two can never disagree.
#
# `finish_run` refuses a second verdict on one run, because it would leave the reader to choose. `start_run`
# asks `require_retriable` whether a run may be tried again: a second retry of run-1 would do the work twice.

# %%
for again in (
    lambda: finish_run(session, "run-1", "completed"),
    lambda: start_run(session, "run-4", retries="run-1"),
):
    try:
        again()
    except ValueError as error:
        print(error)

# %% [markdown]
# The contract of this stage is a file of tests, which run here as they run in a terminal. `stage.test("…")`
# shows the text of one. `refusal(ValueError, words, start_run, …)` in it makes the call, and says how it was
# refused.

# %%
stage.tests()

# %% [markdown]
# ## Timeline
#
# A session has a history too: the calls that were made to it. Folded one by one, as events are folded to a
# state, they give the session after every call. The timeline calls whatever it folds events; here each of them
# is a call, and the last of the six asks for something it cannot have.

# %%
from forge.state import Session, finish_run, start_run

calls = [
    {"call": "start_run", "run_id": "run-1"},
    {"call": "start_run", "run_id": "run-2"},
    {"call": "finish_run", "run_id": "run-1", "status": "failed"},
    {"call": "start_run", "run_id": "run-3", "retries": "run-1"},
    {"call": "finish_run", "run_id": "run-2", "status": "completed"},
    {"call": "start_run", "run_id": "run-1"},
]

# %%
functions = {"start_run": start_run, "finish_run": finish_run}


def apply_call(session, call):
    details = {name: value for name, value in call.items() if name != "call"}
    return functions[call["call"]](session, **details)


# %%
from forge.history import History
from forge.timeline import Timeline


def describe(call):
    return " ".join(value for name, value in call.items() if name != "retries")


def marks(call, before, after):
    return f"◆ retries {call['retries']}" if "retries" in call else None


initial = Session(session_id="session-a")
history = History(calls, apply_call, initial=initial, describe=describe, marks=marks)
Timeline(history, at=5, title="session-a")

# %% [markdown]
# Go back to prefix 3, where run-1 fails, and forward again: whatever is called after that, run-1 stays as it
# is. Then go to 6. The id is taken, the call is refused, and behind a refusal there is no state.
#
# ## Guided exercise: refuse an id that is taken
#
# Below is `start_run`, and its first question is missing. About 8 minutes.
#
# 1. Find the place: before the new run is made, and before the question about the run that it tries again.
# 2. Ask whether any run in `session.runs` has the id, and raise a `ValueError` that has the word *unique* in
#    it. `SessionRefused` is one.
# 3. Run the cell. It checks your function with the tests of this stage.
#
# Done when `test_duplicate_run_id_is_rejected` passes and
# `test_session_tracks_multiple_runs_without_merging_them` still does. An id that only looks like one that is
# taken is accepted.

# %%
from forge.errors import SessionRefused
from forge.state import RunRecord, Session
from forge.state.session import require_retriable


@stage.exercise("unique_run_id")
def start_run(session: Session, run_id: str, *, retries: str | None = None) -> Session:
    """The session with one more run, active; `retries` is the run it tries again."""
    ### BEGIN SOLUTION
    #| # Does the session hold this id already? Ask here, in place of the line below.
    #| raise NotImplementedError("unique_run_id")
    if any(run.run_id == run_id for run in session.runs):
        raise SessionRefused(
            "run_id must be unique inside a session",
            f"{session.session_id} already holds {run_id}.",
            "Give the new run an id of its own.",
        )
    ### END SOLUTION
    if retries is not None:
        require_retriable(session, retries)
    started = RunRecord(run_id=run_id, retries=retries)
    return session.model_copy(update={"runs": (*session.runs, started)})


# %%
# Stuck? One hint opens at a time, and none of them is the line.
stage.hint("unique_run_id")

# %% [markdown]
# How far does the question reach? Two workers hold the same session, which is empty, and each of them starts a
# run-1. Guess how many are refused.

# %%
from forge.state import Session, start_run

held = Session(session_id="session-a")
print(start_run(held, "run-1").active_run_ids, start_run(held, "run-1").active_run_ids)

# %% [markdown]
# None. `start_run` can only ask the session that it is given, and both workers gave it the same old one.
# Whichever result is kept, the other run is lost. So every call must go through one session: it has one owner,
# or its store refuses a result that was made from an old one, and this stage builds neither.
#
# ## Fault lab: two workers, one number
#
# Your question is taken out of forge again. You know the line; here the way to it leads over the failure that
# somebody else would see.

# %%
stage.inject("two_runs_one_id")

# %%
stage.repair("two_runs_one_id")

# %% [markdown]
# **Debrief.** The session was well formed, and every sentence about run-1 had become ambiguous. Two workers who
# look up a number at the same moment find the same one. In the session that they share, the second is refused;
# when each starts from the same old session, as you saw, nobody is.

# %% [markdown]
# ## Fault lab: somebody presses Stop
#
# Ids that are unique are worth as much as the look-up that uses them. `finish_run` asks `find_run` for the
# run of an id, and this is about `find_run`.
#
# **Before you run it.** run-1 and run-2 are both active. Somebody finishes run-1. What does the faulty session
# say?
#
# - a. run-1 has finished, run-2 is active.
# - b. Both have finished.
# - c. run-1 is active, run-2 has finished.

# %%
stage.inject("newest_run")

# %% [markdown]
# It is *c*. The function asks whether the id exists, and then gives back another run. As long as there was one
# run at a time, every test of it passed.

# %%
stage.repair("newest_run")

# %% [markdown]
# **Debrief.** An id is looked up, and what was found is what is used. The newest, the first and the current
# run are one and the same only while there is one run.

# %% [markdown]
# ## Transfer challenge: the tracks of a song
#
# A song is made of tracks, and every track is a run of the session `song`. `track-1` makes the melody,
# `track-2` arranges it, `track-3` adds a second voice, and all three are at work at once. Then somebody starts
# `track-1` again. Last of all the melody is done: `track-1` completes.
#
# Write the session, assert what must be true of it, and return it. A second `track-1` raises a `ValueError`,
# and in the end exactly `track-2` and `track-3` are active, in this order.
#
# Your function is checked twice. It must be right on forge as it is, and it must *notice*: it is run again on
# three broken editions of forge, and each time one of your assertions has to fail.

# %%
from forge.state import Session, finish_run, start_run


@stage.transfer("music_tracks")
def music_tracks() -> Session:
    """Keep the tracks of a song apart, check the session, and return it."""
    ### BEGIN SOLUTION
    song = Session(session_id="song")
    for track in ("track-1", "track-2", "track-3"):
        song = start_run(song, track)
    try:
        start_run(song, "track-1")
    except ValueError:
        pass
    else:
        raise AssertionError("a second track-1 was accepted")
    song = finish_run(song, "track-1", "completed")
    assert song.active_run_ids == ("track-2", "track-3")
    return song
    ### END SOLUTION


# %%
stage.hint("music_tracks")

# %% [markdown]
# ## Explain
#
# In your own words: **why must the id of a run be unique inside its session, and what would go wrong if
# `start_run` did not ask?** Write between the quotes and run the cell. Then you see what a strong answer
# contains, and mark your own.

# %%
explanation = """
### BEGIN SOLUTION
#|
An id stands for one execution. With two run-1 in a session, an event, a
result or a Stop that says run-1 could mean either, and a retry would mix with
the attempt that failed or wipe it out. So start_run looks at every run that
the session holds, the finished ones too, and refuses an id that it finds. That
holds for the session that was asked, so every call has to go through one.
### END SOLUTION
"""
### BEGIN SOLUTION
#| stage.explain(explanation)
stage.explain(explanation, covered=(1, 2, 3))
### END SOLUTION

# %% [markdown]
# ## Mastery
#
# The cell reads your evidence, says what you have shown, and writes it down.

# %%
stage.mastery()

# %% [markdown]
# A session knows where its runs stand, and a run its events. Neither helps if the machine goes down after event
# 40,000. In [stage 3](03_checkpoint_contract.ipynb) a run keeps a copy of its state, and finds out whether that
# copy can be trusted.

# %% [markdown] jp-MarkdownHeadingCollapsed=true
# ## More practice
#
# Two more functions to write, and three more faults of kinds that people have met in real systems. About 30
# minutes for all of them; every one stands on its own.

# %% [markdown]
# ### Exercise: finish one run and no other
#
# A command line let people type the beginning of an id, and the same comparison did the work behind it.
# Somebody ended run-1. run-10, ten hours into its work, ended with it.
#
# The questions of `finish_run` are there: is the status an end, is there such a run, is it still active? What
# is missing is the session in which this run has finished and nothing else has changed: not the other runs, not
# their order, not what a retry retries, and not the session that was given. About 8 minutes.

# %%
from forge.state import Session
from forge.state.session import find_run, require_active, require_end


@stage.exercise("finish_one_run")
def finish_run(session: Session, run_id: str, status: str) -> Session:
    """The session in which the run has finished: completed, failed or cancelled."""
    require_end(session, run_id, status)
    run = find_run(session, run_id)
    require_active(session, run, status)
    ### BEGIN SOLUTION
    #| # Return the session in which this run, and no other, has that status.
    #| raise NotImplementedError("finish_one_run")
    finished = run.model_copy(update={"status": status})
    runs = tuple(finished if other is run else other for other in session.runs)
    return session.model_copy(update={"runs": runs})
    ### END SOLUTION


# %%
stage.hint("finish_one_run")

# %% [markdown]
# ### Exercise: say which runs may be tried again
#
# A run that sends letters has failed. Somebody presses Retry, sees nothing happen, and presses it again. Two
# runs try the same failed one, and everybody on the list gets two letters.
#
# `start_run` asks `require_retriable` before a retry. A retry must not start while the first run is still at
# work, nor when the work is done, nor when another run has tried it again before. About 8 minutes.

# %%
from forge.errors import SessionRefused
from forge.state import RecordStatus, Session
from forge.state.session import find_run


@stage.exercise("who_is_tried_again")
def require_retriable(session: Session, run_id: str) -> None:
    """Refuse a run that may not be tried again."""
    run = find_run(session, run_id)
    ### BEGIN SOLUTION
    #| # Return if the run may be tried again; the rest is refused below.
    #| raise NotImplementedError("who_is_tried_again")
    tried = {other.retries for other in session.runs}
    stopped = run.status in (RecordStatus.FAILED, RecordStatus.CANCELLED)
    if stopped and run_id not in tried:
        return
    ### END SOLUTION
    raise SessionRefused(
        "run cannot be tried again",
        f"{run_id} is {run.status}.",
        "Only a run that failed or was cancelled is tried again, and only once.",
    )


# %%
stage.hint("who_is_tried_again")

# %% [markdown]
# ### The name that nobody was using
#
# This `start_run` asks for the id too, and two runs at work never share one.
#
# **Before you run it.** run-1 has failed and run-2 is active. A run called run-1 is started. What does the
# session hold?
#
# - a. run-1, failed, and run-2: there is an error.
# - b. run-2 and a new run-1.
# - c. run-1, failed, run-2, and a new run-1.

# %%
stage.inject("failure_replaced")

# %% [markdown]
# It is *b*. The run that failed is gone, and `test_duplicate_run_id_is_rejected` passes all the same.

# %%
stage.repair("failure_replaced")

# %% [markdown]
# **Debrief.** An id names its run for as long as the session is kept, and not for as long as the run is at
# work. The attempt that failed is the one that somebody will want to read about.

# %% [markdown]
# ### The verdict that came late
#
# **Before you run it.** A run is marked failed. A minute later a slow worker reports that it completed. What is
# the run in the end?
#
# - a. Completed.
# - b. Failed, and the report is lost.
# - c. Failed, and there is an error.

# %%
stage.inject("late_verdict")

# %% [markdown]
# It is *a*. The other two ends are protected, which is why this lasted.

# %%
stage.repair("late_verdict")

# %% [markdown]
# **Debrief.** Ask for the one status that may change, and not for those that may not. A list of ends is a list
# that somebody forgets to extend, and what it forgets is let through.

# %% [markdown]
# ### The pool with one place
#
# **Before you run it.** A pool lets one run work at a time. The run in it is cancelled. May the next one start?
#
# - a. Yes, at once.
# - b. Only if it retries the first.
# - c. No.

# %%
stage.inject("cancelled_is_active")

# %% [markdown]
# It is *c*. Cancelled is neither completed nor failed, so it was taken for active. In forge `active_run_ids` is
# a property; here it stands as a function of the session.

# %%
stage.repair("cancelled_is_active")

# %% [markdown]
# **Debrief.** Active is a status, and the question is whether the run has it. Whoever asks whether it has one
# of the others answers yes for every status that was forgotten.
#
# On to [stage 3](03_checkpoint_contract.ipynb).
