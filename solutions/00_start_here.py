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
# # The agent that started again at feature one
#
# At 02:14 the container was evicted. The agent had finished three of forty features. At 02:15 a new container
# started the same agent, with the same instructions and the same model. It started again at feature one.
#
# Nothing was wrong with the model. It was never told what had been done, because nobody had written it down in a
# place that outlives a container. This course is about that place.
#
# In seven stages you build **Forge**: the part of an agent that keeps its state, so that a long task can pause,
# resume, forget what it must forget, compress what it reads, and replay how it got where it is. A **capstone**
# then makes one larger thing out of several stages.

# %% [markdown]
# ## Is this machine ready?
#
# Run each cell with Shift+Enter, from the top down.

# %%
from forge.course import check_verification, dashboard, environment, pick_verification

environment()

# %% [markdown]
# ## Where you stand
#
# Each stage is one notebook, in this order. Begin with [stage 1](01_state_and_events.ipynb), and run this cell
# again whenever you come back.

# %%
dashboard()

# %% [markdown]
# A stage is *not started*, then *reading* once you opened it, then *lab downloaded* because you have a working
# copy. It is at *test results read* when its `verification.json` was read below, and at *local self-check
# passed* when that held.
#
# A stage takes you through ten parts, always in the same order: a problem, a prediction, the concept, a worked
# example, its timeline, an exercise, broken code to repair, a second scene, a question to explain, and the
# evidence. The core path is 30 to 60 minutes. What stands under *More practice* is for those who want it.
#
# Cells build on the ones above them. If one says that the name `stage` is not defined, run the first code cell
# of its notebook.
#
# A test that runs longer than 5 seconds is stopped, and a check after 20. If an answer hangs where nothing can stop
# it, the kernel ends itself after a minute and starts again; your notebook and your accepted answers stay.
#
# Your work goes into the folder that `forge lab` opened, called the **workspace**. A new edition of the course
# never overwrites what you wrote there.

# %% [markdown]
# ## The chain of capabilities
#
# Each stage adds one thing that you can check, and stands on the one before it.
#
# ```mermaid
# flowchart LR
#     s1["1<br>events<br>and state"] --> s2["2<br>sessions<br>and runs"]
#     s2 --> s3["3<br>checkpoint"]
#     s3 --> s4["4<br>recovery"]
#     s4 --> s5["5<br>memory"]
#     s5 --> s6["6<br>context"]
#     s6 --> s7["7<br>replay and<br>deletion"]
# ```
#
# *Seven capabilities; an arrow means "is built on".*
#
# | Stage | After it, Forge can |
# | --- | --- |
# | 1 | tell the current state from the facts of history, and rebuild the state of a run from its events |
# | 2 | keep several runs apart in one session, and say when each began and ended |
# | 3 | save the smallest checkpoint that is worth trusting, and refuse a damaged one or one of an unknown version |
# | 4 | resume from a checkpoint and the events after it, and prove that the result equals a full replay |
# | 5 | keep long-term memory apart from run state, with scope, expiry and deletion |
# | 6 | compress ordinary talk, and keep instructions, permissions and commitments word for word |
# | 7 | replay a run from an auditable journal, and delete a memory from everything that was derived from it |
# | capstone 1 | answer what was known after any number of events, and what is in force on a day, and never mix the two |
# | capstone 2 | keep what decides the next step on disk, so that an agent's night survives its windows, its processes and its failures |
# | capstone 3 | run an agent whose loop is a few lines, with every mechanism in its place around it, and say of each what goes wrong without it |

# %% [markdown]
# ## The layers
#
# The code you study is a small real package. A layer uses only what stands below it.
#
# ```mermaid
# flowchart TB
#     open["what you open: notebooks"]
#     calls["what they call: course (predict, check, repair), timeline (the replay slider)"]
#     learn["what you learn: replay · history · context · memory · state"]
#     safe["what makes it safe: log (one record after another), storage (whole or not at all), chain (which bytes)"]
#     open --> calls --> learn --> safe
# ```
#
# *From the notebook down to the bytes: every arrow points at something you can open and read.*

# %% [markdown]
# ## Three words that are often mixed up
#
# ### Memory
#
# | | |
# | --- | --- |
# | It is | a way to keep, find and use information across steps and sessions, with rules for writing, reading, conflict, retention and forgetting |
# | It is not | a summary of old talk, nor a store that is poured into every prompt; what is never retrieved is not remembered |
# | Its neighbours | **state** says how far a run is; a **checkpoint** is one consistent copy of it; **memory** crosses runs; **context** carries what was chosen for this call |
# | In Forge | task state, what the user confirmed and long-term preferences are three stores; retrieval goes by version and scope |
# | Misused, and mended | writing every model output into memory on every turn. Mend it with a threshold for writing, a source, an expiry and a rule for conflicts, and a test that old data cannot overrule a current fact |
#
# ### Context
#
# | | |
# | --- | --- |
# | It is | everything one model call can see: instructions, talk, tool schemas and results, retrieved evidence, current state, the form of the answer |
# | It is not | the chat history, nor everything in the database; only what was chosen and put into this call |
# | Its neighbours | retrieval chooses outside evidence, memory brings what earlier steps kept, a tool schema says what can be done; each may feed the context, none is the context |
# | In Forge | a context is assembled by task, permission, budget and rank of source, and each segment says where it came from and in which version |
# | Misused, and mended | taking more tokens for better understanding. Mend it with rules for choosing, cutting, citing and filtering, checked on fixed inputs |
#
# ### Observability
#
# | | |
# | --- | --- |
# | It is | being able to say what happened in one run, from structured logs, traces, counts, state changes and versions |
# | It is not | terminal output, nor recording every input for ever; without ids that connect and a border for secrets, a log neither explains nor stays safe |
# | Its neighbours | the run emits events, tool calls make a trace, evaluation adds them up, recovery depends on the recorded versions |
# | In Forge | every check has an operation id, and keeps its outcome, duration, class of error and path of evidence, with secrets filtered out |
# | Misused, and mended | adding logs after the failure. Mend it by naming events and ids in the contract, and by injecting a fault to see whether the log tells the story |

# %% [markdown]
# ## If all else is lost
#
# There is a smallest point to come back to: **explicit state and the last checkpoint**. No long-term memory, no
# summary, no transcript. If you are ever stuck, make this much work first.
#
# The cell below does it. Two events happen, the state goes to disk, the process forgets everything, and the next
# one goes on from the file.

# %%
import tempfile
from pathlib import Path

from forge.chain import canonical
from forge.state import EventKind, RunEvent, RunState, apply_event, reduce_events
from forge.storage import atomic_replace

created = RunEvent(event_id="e1", run_id="run-1", sequence=1, kind=EventKind.RUN_CREATED)
planned = RunEvent(
    event_id="e2", run_id="run-1", sequence=2, kind=EventKind.STEP_STARTED, payload={"step": "feature 3"}
)
checkpoint = Path(tempfile.mkdtemp()) / "state.json"
atomic_replace(checkpoint, canonical(reduce_events([created, planned]).model_dump(mode="json")))

# %%
back = RunState.model_validate_json(checkpoint.read_bytes())
resumed = RunEvent(
    event_id="e3", run_id="run-1", sequence=3, kind=EventKind.STEP_STARTED, payload={"step": "feature 4"}
)
apply_event(back, resumed).current_step

# %% [markdown]
# The agent goes on at feature four. Stage 3 makes this file trustworthy; stage 4 proves that going on from it is
# the same as never having stopped.

# %% [markdown]
# ## Does a result hold?
#
# The last cell of a stage writes `verification.json` beside your answers. Pick one to check it on this machine;
# nothing is uploaded.

# %%
pick_verification()

# %% [markdown]
# For a file that lies elsewhere, give its path. The check reads the file, computes its digest again, and compares
# each answer beside it with the one that was checked.

# %%
check_verification("evidence/state-memory-context/01-state-and-events/verification.json")

# %% [markdown]
# A passed check says that the file is whole and that these answers passed these tests. It does not say who wrote
# them. Anybody who edits the file can compute its digest again; that is why a grader runs the answers anew, and
# why stage 7 keeps an anchor somewhere else.
