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
# # The letter that was sent twice
#
# At six an agent is shown to a customer. It wants to send a letter, and for that it has to ask a person. Nobody
# likes a question in the middle of a demonstration, so the question answers itself. At 02:14 the process is
# evicted, between the letter and its record. At 02:15 it starts again, finds a call without a result, and sends
# the letter once more. In the morning the conversation has become long and is shortened. The summary says that
# the customer had agreed.
#
# The model did nothing wrong. It asked for a tool, as models do. Everything else was done by what stands around
# it.
#
# **What stands around a model, and what goes wrong where it does not?** This capstone builds the whole of it,
# once around one loop. It uses the session of [stage 2](02_session_lifecycle.ipynb), the digest of
# [stage 3](03_checkpoint_contract.ipynb), the memory of [stage 5](05_memory_boundaries.ipynb), the compression
# of [stage 6](06_context_compression.ipynb) and the hash chain of
# [stage 7](07_replay_and_deletion.ipynb).

# %%
from forge.course import open_stage

stage = open_stage("capstone_3_whole_harness")

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
# A **harness** is what runs a model: it asks, does what the reply asks for, brings the result back, and asks
# again. That is a loop of a few lines, and it never changes. Twenty-two **mechanisms** stand around it, each a
# short module of its own.
#
# ```mermaid
# flowchart LR
#     accTitle: The loop and where the mechanisms stand
#     accDescr: A message goes through prompt, memory and compaction to the model. A reply with a call goes through deferred tools, sandbox and permissions to the tool, and its result through outputs, transcript and audit back to the model. A reply without a call is shown. Sessions, schedule and processes stand around all of it.
#     said["message"] --> shown["prompt<br/>memory<br/>compaction<br/>routing"]
#     shown --> model["model"]
#     model -- "a call" --> gate["deferred<br/>sandbox<br/>permissions"]
#     gate --> tool["tool<br/>skill<br/>connector<br/>expert"]
#     tool --> kept["outputs<br/>transcript<br/>audit<br/>database"]
#     kept -- "its result" --> shown
#     model -- "no call" --> final["visualiser<br/>presentation"]
#     classDef around stroke-dasharray:5 4
#     class shown,gate,kept,final around
# ```
#
# *One loop. The solid boxes are its steps, the dotted ones are what stands before, after and between them.
# Processes, sessions, memory and schedule stand around the whole.*
#
# Before each call three questions are asked, in this order. Does it stay inside the **workspace**, the one
# folder a session may touch, links followed and compared folder by folder? Does a rule deny it? And if it
# changes something: has somebody consented?
#
# A rule that denies is asked before everything else, and nothing outweighs it. Then come the **grants**: a
# consent from now on, for one session, one agent, one tool and one pattern. All four have to fit.

# %% [markdown]
# ### What it is not
#
# A harness is no second model. It does not judge what a reply says, and it does not make it better. The same
# model is safe in one harness and dangerous in another.
#
# Nobody to ask is not a yes. A call without a result has not failed, and has not succeeded either: nobody here
# knows. A stop reason is no instruction. And a summary is nobody's word.
#
# The sandbox here is a gate in a program. Against a program that wants to get out, only the operating system
# helps. The audit has no secret: it shows what was changed by accident, and not what somebody wrote anew who
# can write all of it.
#
# ### How it relates to its neighbours
#
# Each of the seven stages has built one thing that keeps state. Here nothing is built a second time: transcript
# and audit are the log of stage 7, a session is that of stage 2, and what compaction protects is what stage 6
# protects. What is new is the order in which they stand.
#
# **Boundary.** The loop follows the blocks of a reply. Every mechanism stands before a call, after it, or
# around the loop, and none of them decides what the model says. A call that is not permitted, not inside, or of
# unknown outcome is not made.

# %% [markdown]
# ## Worked example
#
# **1.** This is the loop. What it is given as `ask`, `act` and `keep` is all the rest.

# %%
stage.source("forge.harness.loop:run_loop")

# %% [markdown]
# **2.** Let the model contradict itself. This mock answers twice, and each time its stop reason says the
# opposite of its blocks.

# %%
from forge.harness.mock import contradicting

replies = contradicting("list_files", final="There is one file.")
for reply in replies:
    print([block.type for block in reply.blocks], "but", repr(reply.stop_reason))

# %% [markdown]
# Run it in a session of its own, in a folder with one file.

# %%
import tempfile
from pathlib import Path

from forge.harness.harness import Harness
from forge.harness.mock import MockProvider

folder = tempfile.TemporaryDirectory()
desk = Path(folder.name) / "desk"
desk.mkdir()
(desk / "notes.txt").write_text("The harbour book is on shelf nine.")

monday = Harness(desk, "monday", MockProvider(replies))
print(monday.send("Which files are there?").text)
for message in monday.messages[1:]:
    print(message.role, [block.type for block in message.blocks])

# %% [markdown]
# The call was made, its result was brought back, and the text ended it. Nothing of this was decided by a stop
# reason.
#
# **3.** Ask for something that changes the folder, while nobody is there to ask.

# %%
from forge.harness.mock import calls, says


def last_result(session):
    return [result for said in session.messages for result in said.tool_results][-1]


write = calls("call-2", "write_file", path="letter.txt", text="Dear reader")
monday.provider = MockProvider([write, says("I was not allowed to.")])
print(monday.send("Write the letter.").text)
print(last_result(monday).content)
print((desk / "letter.txt").exists())

# %% [markdown]
# **4.** Now somebody is there, and says yes to this one call. The answer is on record, with the call it was
# given for, and with the pattern that was granted from then on: none.

# %%
from forge.harness.permissions import Answer, Permissions
from forge.harness.transcript import Kind

tuesday = Harness(
    desk,
    "tuesday",
    MockProvider([write, says("It is written.")]),
    permissions=Permissions(ask=lambda asked: Answer(allowed=True)),
)
print(tuesday.send("Write the letter.").text)
for entry in tuesday.transcript.read():
    if entry.event.kind is Kind.APPROVAL:
        print({name: entry.event.data[name] for name in ("call_id", "allowed", "pattern")})

# %% [markdown]
# **5.** Open both again, as after a restart. A session is found by its id, and each has its own conversation.

# %%
for name in ("monday", "tuesday"):
    again = Harness(desk, name, MockProvider([]))
    print(name, "·", len(again.messages), "messages ·", again.messages[0].text)

# %% [markdown]
# **6.** Stop between a call and its record. The transcript then ends like this one: the call was kept before
# it was made, and whether it was made, nobody can see.

# %%
from forge.harness.messages import ToolUseBlock, assistant, user
from forge.harness.tools import Tool
from forge.harness.transcript import Transcript, transcript_path

sent = []
letter = Tool("send", "Send a letter.", lambda: sent.append("a letter") or "sent", writes=True)
transcript = Transcript(transcript_path(desk, "wednesday"), "wednesday")
transcript.append_message(user("Send it."))
transcript.append_message(assistant(ToolUseBlock(id="call-1", name="send")))

wednesday = Harness(desk, "wednesday", MockProvider([]), extra_tools=[letter])
print(last_result(wednesday).content)
print(sent)

# %% [markdown]
# A tool that remembers its calls by their ids can be asked instead, by its `outcome`. What it remembers is the
# result; what it does not remember never took effect.
#
# **7.** Run the integration proof. One fact goes from memory through recall, selection, prompt, compaction, a
# tool call and a transcript to another process, and then all of it again.

# %%
from forge.harness.walkthrough import walkthrough

proof = Path(folder.name) / "proof"
for line in walkthrough(proof):
    if not line.startswith(" "):  # the rest names this attempt, and its manifest's path
        print(line)
print("manifests:", len(list(proof.glob(".harness/manifests/*.json"))))

# %% [markdown]
# - Line 1 is the loop: the blocks decided.
# - Line 2: what is recalled is not yet shown. Selection decides what may be, and keeps winners and losers.
# - Line 3: of the winner, its source, rank and score go past the compaction. The summary that was used here
#   praises the loser, and changed nothing.
# - Line 4: another process read everything back, with objects that it had made itself.
# - Line 5: the second attempt wrote no third record. A fact has an id made from its scope and its text, so
#   writing it again is finding it.
# - The last lines: each attempt has left a **manifest**, what the model was shown and why, with the digests of
#   both.

# %% [markdown]
# **8.** Look at the transcript of one attempt, and then change the source of its evidence: one number, in a
# file that nobody reads.

# %%
attempts = sorted(proof.glob(".harness/sessions/proof-*/transcript.jsonl"))
attempt = attempts[0]
name = attempt.parent.name
print([entry.event.kind.value for entry in Transcript(attempt, name).read()])

# %%
from forge.harness.proof import LOSER, WINNER
from forge.harness.read_back import read_back

attempt.write_bytes(attempt.read_bytes().replace(b"message-17", b"message-71"))
try:
    read_back(proof, name, (WINNER.scope, LOSER.scope))
except Exception as error:
    print(str(error).partition(":")[0])

# %% [markdown]
# Nothing was restored. Somebody who recomputes the chain gets one step further, to the comparison of the
# evidence with the recall of the same query, and past that only by changing both.
#
# **9.** Ask the audit. Every operation has left a record: which stage, which tool, what came of it. What looks
# like a secret never gets there.

# %%
from forge.figures import Board

report = monday.audit.verify()
rows = []
for record in report.records[:8]:
    seen = record.operation
    facts = (seen.stage, seen.tool or "", seen.error_class or "")
    rows.append((f"{record.number} {seen.session_id}", facts))
Board("The first operations", ("", "stage", "tool", "error class"), rows)

# %%
from forge.harness.observe import hide_secrets

print(report.holds)
print(hide_secrets({"path": "notes.txt", "token": "4711", "said": "password=hunter2 and more"}))

# %% [markdown]
# ### Switch it off
#
# Now the other way round. For each mechanism there is a task, and it is run twice: with the mechanism, and
# without it. Nothing on this board is written down beforehand. It takes about twenty seconds, because some of
# the tasks start real processes, and kill them. Its numbers begin with 2, for 1 is the loop: without that there
# is no harness to try.

# %%
from forge.figures import ablation_board
from forge.harness.ablation import ablate_all

ablations = ablate_all()
ablation_board(ablations[:11])

# %%
ablation_board(ablations[11:], title="")

# %% [markdown]
# No row says that an error was raised. Without its mechanism a harness goes on: it forgets, it leaks, it pays, it
# writes. That is why each of them needs a test that fails without it.
#
# ### Why it is built this way
#
# A framework would have one object that does all of this, with twenty-two options. Here the loop knows none of
# them. Each stands in a module that can be read in one look, tested alone, and taken out.
#
# The price is that the order has to be right somewhere, and it is in two files that are read in one look:
# `gate.py` holds what stands before a call, `harness.py` what stands around it. The contract of this capstone is
# about that order.

# %%
stage.tests()

# %% [markdown]
# ## Timeline
#
# What happened on the board, one run after the other. An event is one of a session's transcript. The last one of
# every run says what came of it, and is marked where that is not well.
#
# Look for *permissions*, switched off: which event follows the call? Compare it with the run before.

# %%
from forge.harness.ablation import ablation_history
from forge.timeline import Timeline

Timeline(ablation_history(ablations), title="with and without")

# %% [markdown]
# ## Guided exercise: make a server's tool one of yours
#
# A **connector** speaks with another program over the Model Context Protocol. The program lists its tools, and
# each entry has to become a tool of the registry. `described` is one entry of that list, and `call` reaches the
# server. About 12 minutes.
#
# 1. The fields of the tool are the properties of its schema. `kind_of(told)` gives the type of one.
# 2. Make the `Tool`: named with its server, as `library__find_book`, and with the description of the entry, if
#    there is one.
# 3. Its `run` takes the input by keyword, calls the server under the tool's *own* name, and gives
#    `text_of(result)`, which raises when the server says that it failed.
# 4. A server may bring a hundred tools, so each is deferred. What its schema does not require is optional.
# 5. Does it write? The server may say `readOnlyHint` of itself. Decide whom you believe.
# 6. Run the cell. It checks your function with the tests of this capstone.
#
# Done when the registry reaches the server, when what the server calls an error is one, and when a tool asks
# whatever a stranger says of it.

# %%
from forge.harness.mcp_tools import kind_of, name_of, text_of
from forge.harness.tools import Tool


@stage.exercise("adapt_a_tool")
def adapt_tool(server, described, call, *, trusted=False):
    """The tool that stands for an entry of `tools/list` of the server."""
    own = name_of(server, described)
    schema = described.get("inputSchema") or {}
    hints = described.get("annotations") or {}
    ### BEGIN SOLUTION
    #| # The fields and their kinds, then the Tool, in place of the line below.
    #| raise NotImplementedError("adapt_a_tool")
    fields = {}
    for field, told in schema.get("properties", {}).items():
        fields[field] = kind_of(told)
    needed = set(schema.get("required", ()))

    def run(**given):
        return text_of(call(own, given))

    believed = trusted and hints.get("readOnlyHint") is True
    return Tool(
        f"{server}__{own}",
        described.get("description") or "",
        run,
        fields,
        optional=frozenset(field for field in fields if field not in needed),
        writes=not believed,
        deferred=True,
        schema=described.get("inputSchema"),
    )
    ### END SOLUTION


# %%
# Stuck? One hint opens at a time, and none of them is the line.
stage.hint("adapt_a_tool")

# %% [markdown]
# ## Fault lab: the call that was never made
#
# **Before you run it.** The faulty loop ends when the stop reason is anything but "tool_use". A model asks for
# `list_files`, with "end_turn". What does the user see?
#
# - a. The files.
# - b. Nothing, or half a sentence.
# - c. An error.

# %%
stage.inject("stop_reason_believed")

# %% [markdown]
# It is *b*. The reply holds a call and no text, and it is shown as if it were the answer. Nothing is in the log
# that looks like a mistake.
#
# Follow the diagnosis, then mend the function.

# %%
stage.repair("stop_reason_believed")

# %% [markdown]
# **Debrief.** The blocks are what the model said; the stop reason is what somebody says about it. A loop that
# reads what is there works with every provider.

# %% [markdown]
# ## Fault lab: the letter that was sent twice
#
# **Before you run it.** The process died between a call and its record. The faulty function finds the call
# without a result, and makes it. How often was the letter sent?
#
# - a. Once.
# - b. Twice.
# - c. Once or twice, and nobody can say which.

# %%
stage.inject("done_again")

# %% [markdown]
# It is *c*, and that is what makes it hard to find: most of the time the process dies somewhere else. A retry is
# right where doing it again is the same as having done it. Here it is not.

# %%
stage.repair("done_again")

# %% [markdown]
# **Debrief.** The intent is written down before the call. So a restart knows what may have happened, and asks
# whoever can tell: the tool, by the id of the call, or a person. What nobody knows stays open.

# %% [markdown]
# ## Transfer challenge: the desk of a library
#
# A library. The agent has one tool, `lend`, with one field, `book`; it writes, and `book` is its subject. Make
# it append what it lends to a list. The desk has one set of permissions for all days: a rule that denies `lend`
# for `rare/*`, and a person. On Monday that person grants everything from then on, with the pattern `*`; on any
# other day nobody is there. The workspace is `folder / "desk"`, and each day is a session: `monday`, `tuesday`,
# `wednesday`. `help(Tool)`, `help(Rule)` and `help(Answer)` say what these are made of.
#
# 1. On Monday the model asks for `novels/blue`, and then for `rare/atlas`.
# 2. On Tuesday it asks for `novels/red`.
# 3. On Wednesday the session is opened that has stopped between the loan of `novels/green` and its record. Write
#    that transcript as in the worked example, and send nothing.
#
# Assert after each day what must be true of the list, and on Wednesday also of what the model is told. Return
# the three sessions.
#
# Your function is checked twice. It must be right on forge as it is, and it must *notice*: it is run again on
# three broken editions of forge, and each time one of your assertions has to fail.

# %%
from pathlib import Path

from forge.harness.harness import Harness
from forge.harness.messages import ToolUseBlock, assistant, user
from forge.harness.mock import MockProvider, calls, says
from forge.harness.permissions import Answer, Permissions, Rule
from forge.harness.tools import Tool
from forge.harness.transcript import Transcript, transcript_path


@stage.transfer("library_desk")
def library_desk(folder: Path) -> list[Harness]:
    """Three days at the desk of a library, checked; return the three sessions."""
    ### BEGIN SOLUTION
    desk, lent = folder / "desk", []

    def lend(book):
        lent.append(book)
        return f"lent: {book}"

    fields = {"book": "string"}
    tool = Tool("lend", "Lend a book.", lend, fields, writes=True, subject="book")
    everything = Permissions(
        [Rule(decision="deny", tool="lend", pattern="rare/*")],
        ask=lambda asked: Answer(asked.session_id == "monday", "*"),
    )

    def day(name, *replies):
        more = {"permissions": everything, "extra_tools": [tool]}
        return Harness(desk, name, MockProvider(replies), **more)

    blue = calls("c1", "lend", book="novels/blue")
    atlas = calls("c2", "lend", book="rare/atlas")
    monday = day("monday", blue, atlas, says("One of them."))
    monday.send("The blue one and the atlas, please.")
    assert lent == ["novels/blue"]

    red = calls("c1", "lend", book="novels/red")
    tuesday = day("tuesday", red, says("Not today."))
    tuesday.send("The red one, please.")
    assert lent == ["novels/blue"]

    stopped = Transcript(transcript_path(desk, "wednesday"), "wednesday")
    stopped.append_message(user("The green one, please."))
    call = ToolUseBlock(id="c1", name="lend", input={"book": "novels/green"})
    stopped.append_message(assistant(call))
    wednesday = day("wednesday")
    assert lent == ["novels/blue"]
    told = [done.content for said in wednesday.messages for done in said.tool_results]
    assert ["unknown" in text for text in told] == [True]
    return [monday, tuesday, wednesday]
    ### END SOLUTION


# %%
stage.hint("library_desk")

# %% [markdown]
# ## Explain
#
# In your own words: **which of the mechanisms stand before a call, which after it, and which around the loop?
# Choose one of each and say what goes wrong without it. And why is a call with an unknown outcome not made
# again, although everything else may be retried?** Write between the quotes and run the cell. Then you see what
# a strong answer contains, and mark your own.

# %%
explanation = """
### BEGIN SOLUTION
#|
Before a call stand the prompt with its memories, routing, deferred tools, the
sandbox and permissions. After it stand outputs put aside, the transcript, the
audit and the database, and what is shown at the end. Around the loop stand the
processes, the sessions and the schedule. Without permissions the file was
written although nobody had consented; without outputs put aside, eighty
thousand characters were sent; without sessions the second one died with the
first. A fact may be written again because its id is made from the fact, so the
second time it is found. A call has an effect outside, and nobody here knows
whether it took place. Only the other side can tell, by an idempotency key, or
somebody who looks.
### END SOLUTION
"""
### BEGIN SOLUTION
#| stage.explain(explanation)
stage.explain(explanation, covered=(1, 2, 3))
### END SOLUTION

# %% [markdown]
# ## Mastery
#
# You have shown this capstone when its three tests pass, when you can say of every mechanism where it stands and
# what goes wrong without it, and when you have kept a denial, a grant and an open call apart. The cell reads your
# evidence and writes it down.

# %%
stage.mastery()

# %% [markdown]
# At 02:15 the agent starts again. *A letter to the customer was being sent when I stopped*, it says. *I do not
# know whether it went out. Shall I look?* [Back to the start](00_start_here.ipynb), where the course keeps what
# you have done. With `forge harness` you can talk with one that stands as this one does.

# %% [markdown] jp-MarkdownHeadingCollapsed=true
# ## More practice
#
# Two functions to write and ten faults, all of kinds that people have met in real systems. About 90 minutes for
# all of them; every one stands on its own.

# %% [markdown]
# ### Exercise: take the drawings out of a text
#
# A reply may hold drawings: `<svg>` elements, and fences marked `svg` or `html`. `extract_drawings` gives the
# text with `[drawing 1]`, `[drawing 2]` and so on in their places, and the drawings. What comes after it makes
# them harmless. About 10 minutes.
#
# - `BEGINS.search(text, at)` finds where, from `at` on, a fence or an `<svg>` begins.
# - `part_of(text, found)` gives its kind, its source, and where it ends; `None`, when it has no end.
# - Only a part whose kind is in `KINDS` is a drawing. What is none stays in the text. The search goes on behind it;
#   where it has no end, behind what `BEGINS` has found.

# %%
from forge.harness.drawings import BEGINS, KINDS, Drawing, part_of


@stage.exercise("take_out_drawings")
def extract_drawings(text):
    """The text with a mark in the place of each drawing, and the drawings."""
    said, drawings = [], []
    done = at = 0
    while found := BEGINS.search(text, at):
        kind, source, end = part_of(text, found)
        ### BEGIN SOLUTION
        #| # Move on, or take the drawing out, in place of the line below.
        #| raise NotImplementedError("take_out_drawings")
        at = found.end() if end is None else end
        if end is not None and kind in KINDS:
            drawings.append(Drawing(kind, source))
            said.append(text[done : found.start()])
            said.append(f"[drawing {len(drawings)}]")
            done = end
        ### END SOLUTION
    return "".join([*said, text[done:]]), tuple(drawings)


# %%
stage.hint("take_out_drawings")

# %% [markdown]
# ### Exercise: read a schedule
#
# `parse_schedule` reads what follows `/schedule`: `weekly mon,thu 18:00 Remind the club`. It gives the rule, its
# parts joined by semicolons, and the prompt as it was typed. About 8 minutes.
#
# - `next_word(text)` gives the first word and what follows it.
# - `rhythm_of(word)` gives the first part of the rule, and the readers of the words that follow: each reader
#   makes a part of the rule out of one word. Both refuse what is none.
# - `refused(expected, found)` makes the error.

# %%
from forge.harness.schedule_line import ScheduleRequest, next_word, refused, rhythm_of


@stage.exercise("read_a_schedule")
def parse_schedule(text):
    """The rule and the prompt of what follows /schedule."""
    rhythm, rest = next_word(text)
    ### BEGIN SOLUTION
    #| # The parts of the rule, the prompt, or a refusal, in place of the line below.
    #| raise NotImplementedError("read_a_schedule")
    first, readers = rhythm_of(rhythm)
    rule = [first]
    for reader in readers:
        word, rest = next_word(rest)
        rule.append(reader(word))
    if not rest.strip():
        raise refused("a prompt", rest)
    return ScheduleRequest(";".join(rule), rest)
    ### END SOLUTION


# %%
stage.hint("read_a_schedule")

# %% [markdown]
# ### Silence was taken for a yes
#
# **Before you run it.** The faulty function answers when nobody is there. A tool wants to write a file, and the
# harness has nobody to ask. What is on record about it?
#
# - a. Nothing: nobody was asked.
# - b. A refusal.
# - c. A consent.

# %%
stage.inject("silence_is_consent")

# %% [markdown]
# It is *c*. Whoever reads it later will look for the person who said yes.

# %%
stage.repair("silence_is_consent")

# %% [markdown]
# **Debrief.** An approval points to somebody who gave it. A demonstration that answers its own questions shows a
# harness that nobody should run.

# %% [markdown]
# ### Always, everywhere
#
# **Before you run it.** The faulty function compares the tool and the pattern of a grant. Somebody has granted
# `write_file` for `notes/*` to the agent `main`, in one session. Who may write into `notes` now?
#
# - a. That agent, in that session.
# - b. Every agent of that session.
# - c. Every agent of every session.

# %%
stage.inject("granted_elsewhere")

# %% [markdown]
# It is *c*, as long as they share the list of grants.

# %%
stage.repair("granted_elsewhere")

# %% [markdown]
# **Debrief.** A yes is for what was asked. What is not compared is granted to everybody.

# %% [markdown]
# ### The old yes
#
# **Before you run it.** Somebody said yes to one call, and granted nothing further. The faulty function makes
# the grants of a session again after a restart. Is the next call of the same kind asked for?
#
# - a. Yes, always.
# - b. Yes, as long as the session has not been opened again.
# - c. No.

# %%
stage.inject("yes_becomes_always")

# %% [markdown]
# It is *b*. The grant comes about in the restart: nobody has given it.

# %%
stage.repair("yes_becomes_always")

# %% [markdown]
# **Debrief.** An approval belongs to its call. It goes into no later one, and into no other branch of the
# conversation.

# %% [markdown]
# ### The conversation of somebody else
#
# **Before you run it.** The faulty function returns the transcript that was written last. Monday and Tuesday
# each have one, and Tuesday's is newer. What does opening `monday` bring?
#
# - a. Monday's conversation.
# - b. Tuesday's conversation.
# - c. An error.

# %%
stage.inject("newest_session")

# %% [markdown]
# Here it is *c*, because every event names its session and the transcript has looked. Without that it would have
# been *b*.

# %%
stage.repair("newest_session")

# %% [markdown]
# **Debrief.** A session is bound by its id. The newest file is a guess about who is asking.

# %% [markdown]
# ### The folder next door
#
# **Before you run it.** The workspace is `room`. The faulty function asks whether a path begins with the
# workspace's path. Which of these does it let through?
#
# - a. `../secret/a.txt`
# - b. `../room-2/a.txt`
# - c. Both.

# %%
stage.inject("a_neighbour_is_inside")

# %% [markdown]
# It is *b*. The first one is stopped, which is why such a line survives its first test.

# %%
stage.repair("a_neighbour_is_inside")

# %% [markdown]
# **Debrief.** A path is compared folder by folder. As text, a neighbour with a longer name begins with the
# shorter one.

# %% [markdown]
# ### A hundred became nine hundred
#
# **Before you run it.** A long output lies in a file that is named after its digest. Somebody has edited the
# file. The faulty function reads it by the digest in the conversation. What comes back?
#
# - a. The old text.
# - b. The edited text.
# - c. An error.

# %%
stage.inject("pointer_believed")

# %% [markdown]
# It is *b*, under the digest of the old text.

# %%
stage.repair("pointer_believed")

# %% [markdown]
# **Debrief.** A name made from the content is a check only for whoever computes it again.

# %% [markdown]
# ### The last record was cut off
#
# **Before you run it.** The audit has three records, and somebody keeps its anchor. The last record is removed
# from the file. The faulty function verifies the chain. What does it say?
#
# - a. All is well, two records.
# - b. Something is wrong after record two.
# - c. Something is wrong at the beginning.

# %%
stage.inject("cut_tail_holds")

# %% [markdown]
# It is *a*. Every link that is left fits.

# %%
stage.repair("cut_tail_holds")

# %% [markdown]
# **Debrief.** A chain never shows what is missing at its end. A count and a head that are kept elsewhere do, if
# somebody compares them.

# %% [markdown]
# ### The result that nobody had asked for
#
# **Before you run it.** The faulty function says that a conversation may be cut before every message. It is cut
# between a call and its result, and the older half is taken away. What does the model get?
#
# - a. A shorter conversation.
# - b. A result without its call.
# - c. A call without its result.

# %%
stage.inject("pair_cut")

# %% [markdown]
# It is *b*. Most providers refuse such a request, and from then on every request of this conversation is one.

# %%
stage.repair("pair_cut")

# %% [markdown]
# **Debrief.** A call and its results stand or fall together. Cut where nothing waits.

# %% [markdown]
# ### Delivered, and delivered again
#
# **Before you run it.** A report is handed over, and then handed over again, unchanged. The faulty function
# inserts a row with a key into a table, and announces. How many rows and how many announcements are there?
#
# - a. One row, one announcement.
# - b. One row, two announcements.
# - c. Two rows, two announcements.

# %%
stage.inject("delivered_again")

# %% [markdown]
# It is *b*. The table knew, and nobody asked it.

# %%
stage.repair("delivered_again")

# %% [markdown]
# **Debrief.** What was delivered is a fact, and it is kept outside the conversation. A summary may forget it.

# %% [markdown]
# ### The server that said it only reads
#
# **Before you run it.** The faulty adapter believes `readOnlyHint`. A server that nobody has vouched for says it
# of all its tools. Which of them ask?
#
# - a. All.
# - b. None.
# - c. Those that write.

# %%
stage.inject("the_hint_of_a_stranger")

# %% [markdown]
# It is *b*. The one that is asked to describe itself is the one that the question was for.

# %%
stage.repair("the_hint_of_a_stranger")

# %% [markdown]
# **Debrief.** A hint of a stranger is for showing. Permission follows from whom the user trusts.
