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
# # Write access was discussed
#
# At 10:40 a user took back an agent's permission to write: `write_access=revoked`. At 14:15 the talk had grown
# too long for the model, and a summary took its place. It was a good one, two hundred words for nine thousand,
# and it said: *write access was discussed*. At 14:20 the agent wrote to the main branch.
#
# Nothing in that summary was false. The topic was kept and the decision was not.
#
# Until now Forge added to what it knows: [stage 5](05_memory_boundaries.ipynb) keeps memories beside the talk,
# and every call shows the model more. **What may be made shorter, and how do you notice when too much was?**

# %%
from forge.course import open_stage

stage = open_stage("06_context_compression")

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
# A **context** is what one call of the model gets to see. In Forge it is a packet of four fields. Three of them
# bind: instructions, commitments, which are what the agent has promised, and permission decisions. Those stand
# in the order in which they were made, and the last one on a matter holds. The fourth field is talk.
#
# To **compress** a context is to put one short summary in the place of its messages. What binds is **protected**:
# it is carried over word for word. A **fingerprint**, the SHA-256 of the three protected fields, travels with
# the result and says of which source it was made.
#
# ```mermaid
# flowchart LR
#     accTitle: What a compression does with the four fields
#     accDescr: Instructions, permission decisions and commitments of the packet stand in the compression word for word, and a fingerprint is made of them. The messages become a summary.
#     bind["packet<br>instructions<br>permission decisions<br>commitments"]
#     bind -- "word for word" --> same["compression<br>instructions<br>permission decisions<br>commitments"]
#     bind -- "SHA-256" --> print["fingerprint"]
#     said["messages"] -- "made shorter" --> short["summary"]
# ```
#
# *On the left a packet, on the right its compression. Three fields go across as they are, and only the messages
# are rewritten. The fingerprint is made from the packet, not from the fields beside it.*
#
# ### What it is not
#
# Compression does not summarise whatever is long: a rule that was summarised is another rule. Nor does it cut:
# messages may be left out, half an instruction may not, because what comes next relies on the other half.
#
# And the fingerprint is no signature. Whoever changes a compression can compute a new one, and you will.
#
# ### How it relates to its neighbours
#
# The journal of a run (stage 1) still holds every event: a compression shortens what is shown and deletes nothing.
# A memory (stage 5) is in the context only when somebody put it there.
#
# **Boundary.** Instructions, permission decisions and commitments are carried over word for word and fingerprinted;
# only messages may be shortened. One differing text or another fingerprint, and the compression is refused.

# %% [markdown]
# ## Worked example
#
# **1.** Take an agent at work on a front-end, after twenty messages, and compress its packet. Then ask how many
# messages there were, and for how many of them, counted from the newest, the summary stands.

# %%
from forge.context import ContextPacket, compress_context

packet = ContextPacket(
    instructions=["Review the change before writing.", "Never add a dependency."],
    permission_decisions=["write_access=revoked"],
    commitments=["Do not publish partial results."],
    messages=[f"message {n}: the exporter writes file {n}" for n in range(1, 21)],
)
short = compress_context(packet, max_summary_chars=140)
print(short.message_summary)
print(short.source_message_count, short.covered_message_count)

# %% [markdown]
# **2.** Compare what binds. A packet keeps each list as a tuple, so that nobody can change it: compare it with a
# tuple or with a field of another packet, it never equals a list. The check asks about all that is protected, and
# says nothing when all is well. Then change the decision, as a careless program on the way to the model might.

# %%
from forge.context import verify_critical_fidelity

print(short.permission_decisions == ("write_access=revoked",))
verify_critical_fidelity(packet, short)

tampered = short.model_copy(update={"permission_decisions": ["write_access=allowed"]})
try:
    verify_critical_fidelity(packet, tampered)
except ValueError as error:
    print(error)

# %% [markdown]
# **3.** Compress again, later. The earlier compression goes in as `previous`: its summary is folded into the new
# one, and all that it protected must stand in the new packet. This packet has lost a rule on the way.

# %%
later = packet.model_copy(update={"instructions": packet.instructions[:1]})

try:
    compress_context(later, previous=short)
except ValueError as error:
    print(error)

# %%
stage.source("forge.context.packet:verify_critical_fidelity")

# %% [markdown]
# ### Why it is built this way
#
# The check does not ask whether a summary is good. Nobody can compute that. It asks whether texts are equal, which
# takes one line and has no opinion. But it needs the source: change the permission *and* compute the fingerprint
# again, and the compression agrees with itself.

# %%
from forge.context import critical_fingerprint

allowed = packet.model_copy(update={"permission_decisions": ["write_access=allowed"]})
forged = compress_context(allowed).critical_fingerprint
print("agrees with itself:", forged == critical_fingerprint(allowed))
print("belongs to the packet:", forged == critical_fingerprint(packet))

# %% [markdown]
# So a fingerprint answers one question: was this made from the source I hold? It finds a compression of
# yesterday's rules in one comparison. It cannot find a liar where nobody holds the source.
#
# ### The other side
#
# Equal fields show that nothing was lost. They do not show that nothing was added.
# Until here a summary quoted the newest messages. A function given as `summarize`, which may ask a model, writes it
# instead: it gets the texts and the limit, and returns the summary. This one always says the same.

# %%
from forge.context import audit_compression
from forge.figures import audit_board

review = ContextPacket(
    permission_decisions=["write_access=revoked"],
    messages=[
        "user: Read access is granted.",
        "assistant: May I write to main, now that it is green?",
    ],
)
summary = "user: Read access is granted."
fair = compress_context(review, summarize=lambda texts, limit: summary)
audit_board(audit_compression(review, fair), title="A fair summary")

# %% [markdown]
# The audit looks at both sides. What the source protects must be in the compression; what the summary claims must
# be in the source, and the board says where. Take away the decision, and the first side breaks.

# %%
lossy = fair.model_copy(update={"permission_decisions": []})
audit_board(audit_compression(review, lossy), title="Something was lost")

# %% [markdown]
# Now a summary that answers the question which nobody answered. `verify_critical_fidelity` has no objection.

# %%
summary = "User agreed to write."
invented = compress_context(review, summarize=lambda texts, limit: summary)
verify_critical_fidelity(review, invented)
audit_board(audit_compression(review, invented), title="Something was invented")

# %% [markdown]
# This second side goes by words such as *agreed*, *granted* and *must*, and looks for the same sentence in the
# source. A claim in other words goes unseen. So what binds has fields of its own, and a summary binds nobody.
#
# The contract of this stage is a file of tests. They run here as they run in a terminal.

# %%
stage.tests()

# %% [markdown]
# ## Timeline
#
# One day of talk, compressed twice, in which the permission changes. Each state is what the next call would see.
# Two things are worth watching: the sentence in which the user takes the permission back, and the decision.

# %%
day = [
    ("message", "user: Add a search page to the shop."),
    ("permission", "write_access=allowed"),
    ("message", "user: Do not write, and only read."),
    ("permission", "write_access=revoked"),
    ("message", "assistant: Filters are next, as a plan."),
    ("compress", "at most 80 code points"),
    ("message", "user: Show the plan for the filters."),
    ("compress", "at most 80 code points"),
]

# %%
from forge.context.compression import quote_newest


def seen(state, event):
    kind, text = event
    state = state or {"permissions": [], "summary": [], "messages": []}
    if kind == "message":
        return {**state, "messages": [*state["messages"], text]}
    if kind == "permission":
        return {**state, "permissions": [*state["permissions"], text]}
    said = "\n".join(state["summary"]), tuple(state["messages"])
    summary, _ = quote_newest(*said, 80)
    return {**state, "summary": summary.split("\n"), "messages": []}


# %%
from forge.history import History
from forge.timeline import Timeline

history = History(day, seen, describe=lambda event: event[0])
Timeline(history, at=6, title="what the next call sees")

# %% [markdown]
# At step 6 eighty code points had no room for the user's sentence. The decision that it led to has a field of its
# own. Move on to 8: it is there as on the day it was made, and holds, because it is the last.

# %% [markdown]
# ## Guided exercise: compare the permission decisions
#
# Below is `verify_critical_fidelity` with one of its four questions missing. About 6 minutes.
#
# 1. Between the instructions and the commitments, compare the permission decisions of both.
# 2. When they differ, refuse. `changed(name, expected, found)` makes the error, and `raise` sends it. The name is
#    two words, *permission decisions*; what was expected are the texts of the source.
# 3. Run the cell. It checks your function with the tests of this stage.
#
# Done when `test_changed_permission_decision_fails_fidelity_check` passes: a decision is refused that was changed,
# is gone, is one too many or stands in another order.

# %%
from forge.context import critical_fingerprint
from forge.context.packet import changed
from forge.errors import FidelityLost


@stage.exercise("compare_permissions")
def verify_critical_fidelity(source, compressed):
    """Return when the compression holds what `source` protects; else raise."""
    if compressed.instructions != source.instructions:
        raise changed("instructions", source.instructions, compressed.instructions)
    ### BEGIN SOLUTION
    #| # Are the permission decisions the same? Ask here, in place of the line below.
    #| raise NotImplementedError("compare_permissions")
    before, after = source.permission_decisions, compressed.permission_decisions
    if before != after:
        raise changed("permission decisions", before, after)
    ### END SOLUTION
    if compressed.commitments != source.commitments:
        raise changed("commitments", source.commitments, compressed.commitments)
    if compressed.critical_fingerprint != critical_fingerprint(source):
        raise FidelityLost(
            "critical context fingerprint mismatch",
            f"the source has {critical_fingerprint(source)[:12]}…, "
            f"the compression says {compressed.critical_fingerprint[:12]}….",
        )


# %%
stage.hint("compare_permissions")

# %% [markdown]
# ## Fault lab: the permission that went through
#
# **Before you run it.** A compression is made, and afterwards its decision is changed to `write_access=allowed`. Its
# fingerprint stays. The faulty check asks about instructions, commitments and the fingerprint. What does it say?
#
# *a.* The fingerprint does not match. *b.* Nothing. *c.* The permission decisions changed.

# %%
stage.inject("permission_left_out")

# %% [markdown]
# It is *b*. The fingerprint in the compression was copied from the source, and it still is the source's. No one
# computed it from the field beside it. Follow the diagnosis, then mend the function.

# %%
stage.repair("permission_left_out")

# %% [markdown]
# **Debrief.** A hash that travels with a text protects it only when somebody computes it from that text. Here the
# fields are compared, each of the three, and the fingerprint says which source they belong to.

# %% [markdown]
# ## Fault lab: only the first rule survives
#
# **Before you run it.** The first compression protected two rules. The next packet has lost the second one,
# `Never add a dependency.` The faulty function looks at the first text of each field. What becomes of the packet?
#
# *a.* It is refused. *b.* It gets the rule back from the earlier compression. *c.* It is compressed without the rule.

# %%
stage.inject("first_rule_only")

# %% [markdown]
# It is *c*. Your own check is in place and finds nothing: it compares the compression with the packet, and the
# packet had lost the rule before.

# %%
stage.repair("first_rule_only")

# %% [markdown]
# **Debrief.** Between two compressions there are two comparisons: the compression with its packet, and the next
# packet with that compression. A chain holds when each text is asked about at each joint.

# %% [markdown]
# ## Transfer challenge: the review
#
# Another task. The context of a review has two instructions, `Review the frontend change before writing.` and
# `Keep test evidence for every modification.`, the permission decision `write_access=revoked`, the commitment
# `Do not publish partial results.`, and a message or two of your own.
#
# 1. Compress it, and assert that the compression holds all three protected fields.
# 2. Change the compression, with `model_copy`, so that it says `write_access=allowed`.
# 3. Call `verify_critical_fidelity` with the packet and the changed compression. Catch the refusal, and assert
#    that it speaks of *permission decisions*. Without a refusal, raise.
# 4. Return the compression as it was before the change, and the refusal.
#
# Your function is checked twice. It must be right on forge as it is, and it must *notice*: it is run again
# on four broken editions of forge, and each time one of your assertions has to fail.

# %%
from forge.context import (
    CompressedContext,
    ContextPacket,
    compress_context,
    verify_critical_fidelity,
)


@stage.transfer("release_review")
def release_review() -> tuple[CompressedContext, ValueError]:
    """Compress a review, change its permission; return compression and refusal."""
    ### BEGIN SOLUTION
    test_evidence = "Keep test evidence for every modification."
    packet = ContextPacket(
        instructions=["Review the frontend change before writing.", test_evidence],
        permission_decisions=["write_access=revoked"],
        commitments=["Do not publish partial results."],
        messages=["user: Please review the search page."],
    )
    short = compress_context(packet)
    for field in ("instructions", "permission_decisions", "commitments"):
        assert getattr(short, field) == getattr(packet, field), field
    allowed = ["write_access=allowed"]
    changed = short.model_copy(update={"permission_decisions": allowed})
    refusal = None
    try:
        verify_critical_fidelity(packet, changed)
    except ValueError as error:
        refusal = error
    assert "permission decisions" in str(refusal)
    return short, refusal
    ### END SOLUTION


# %%
stage.hint("release_review")

# %% [markdown]
# ## Explain
#
# In your own words: **why must what binds be kept word for word, instead of being summarised well?** Write between
# the quotes and run the cell. Then you see what a strong answer contains, and mark your own.

# %%
explanation = """
### BEGIN SOLUTION
#|
A summary keeps the topic and may lose the decision: "write access was discussed"
fits a permission that was given and one that was taken away. The agent acts on
these texts, so another wording is another act. Whether two texts are equal, a
machine can check; whether a summary of a rule is good enough, nobody can.
### END SOLUTION
"""
### BEGIN SOLUTION
#| stage.explain(explanation)
stage.explain(explanation, covered=(1, 2, 3))
### END SOLUTION

# %% [markdown]
# ## Mastery
#
# You have shown this stage when its three tests pass, when you can say why what binds is kept word for word and
# what a fingerprint shows, and when you have noticed a changed permission. The cell writes your evidence down.

# %%
stage.mastery()

# %% [markdown]
# Forge now shortens what it shows and keeps what it must. A summary is also a copy, though: it quotes messages that
# somebody may ask to have forgotten. [Stage 7](07_replay_and_deletion.ipynb) deletes them with all that was derived.

# %% [markdown] jp-MarkdownHeadingCollapsed=true
# ## More practice
#
# Two more functions to write and three more faults, all of kinds that people have met in real systems. About 40
# minutes for all of them; every one stands on its own.

# %% [markdown]
# ### Exercise: one fingerprint
#
# Write `critical_fingerprint`: the SHA-256, in 64 hexadecimal digits, of the three protected fields of a packet.
# Hash the **canonical JSON** of a dict that holds, under the name of each field, the list of its texts: a list,
# where the packet has a tuple. `("ab", "c")` and `("a", "bc")` must not look alike, and messages must not count.
# About 9 minutes.

# %%
from forge.chain import canonical, sha256
from forge.context.packet import PROTECTED


@stage.exercise("one_fingerprint")
def critical_fingerprint(packet):
    """The SHA-256 of the protected fields of a packet, as canonical JSON."""
    ### BEGIN SOLUTION
    #| # PROTECTED holds the names, canonical gives bytes, sha256 the digits.
    #| raise NotImplementedError("one_fingerprint")
    fields = {field: list(getattr(packet, field)) for field in PROTECTED}
    return sha256(canonical(fields))
    ### END SOLUTION


# %%
stage.hint("one_fingerprint")

# %% [markdown]
# ### Exercise: the newest that fit
#
# `newest` chooses what a summary quotes. It gets the texts, oldest first, the room in code points, and the set
# of the lines already `seen`. It gives the lines it keeps, oldest first, and how many of the texts, counted
# from the newest, are covered by them.
#
# - A text becomes one line, by `one_line`. A blank line and one that was `seen` need no room and are covered.
# - A line needs its length and one more, for the newline.
# - `seen` is the caller's set. A line that is kept is added to it, in place: the caller's next call goes on with it.
# - The first text that does not fit ends the walk: no hole. If nothing was kept until then, its beginning is kept,
#   which does not count as covered; those lines are given. About 14 minutes.

# %%
from forge.context.compression import CUT, one_line


@stage.exercise("newest_that_fit")
def newest(texts, room, seen):
    """The newest texts that fit, oldest first, and how many of `texts` they cover."""
    lines = []
    ### BEGIN SOLUTION
    #| # Walk from the newest text to the oldest. Where the first does not fit:
    #| #     if not lines:
    #| #         lines = [line[: max(room - 2, 0)].rstrip() + CUT]
    #| raise NotImplementedError("newest_that_fit")
    for covered, text in enumerate(reversed(texts)):
        line = one_line(text)
        if not line or line in seen:
            continue
        if len(line) + 1 > room:
            if not lines:
                lines = [line[: max(room - 2, 0)].rstrip() + CUT]
            return lines[::-1], covered
        seen.add(line)
        lines.append(line)
        room -= len(line) + 1
    return lines[::-1], len(texts)
    ### END SOLUTION


# %%
stage.hint("newest_that_fit")

# %% [markdown]
# ### The user agreed, says the summary
#
# The audit reads a summary sentence by sentence. `sentences` cuts a line into them, `CLAIMS` holds the words of a
# claim, `same` makes two sentences comparable, and `cut_from` finds the message that a line with … is cut from.
#
# **Before you run it.** The assistant asks for permission, nobody answers, and the summary says *User agreed to
# it.* The faulty audit looks for that sentence in all that there is to read. What does it report?
#
# *a.* An approval without a source. *b.* Nothing. *c.* That a question was left open.

# %%
stage.inject("approval_invented")

# %%
stage.repair("approval_invented")

# %% [markdown]
# **Debrief.** It was *b*: the sentence was found, in the summary that had made it up. A source is what somebody
# said, and the text under suspicion is never one.
#
# ### Nine messages become nothing
#
# **Before you run it.** The summariser answers with an empty text. The faulty function asks two things of a summary:
# that it keeps its limit, and that it is shorter than what it replaces. What becomes of the nine messages?
#
# *a.* They stay: an empty summary is an error. *b.* They are quoted instead. *c.* They are replaced by nothing.

# %%
stage.inject("blank_summary")

# %%
stage.repair("blank_summary")

# %% [markdown]
# **Debrief.** It was *c*: by both questions, nothing is the best summary there can be. Whatever replaces something
# needs a bound from below too, and until it has passed, the original stays.
#
# ### The second summary forgets the first
#
# **Before you run it.** Three messages were compressed in the morning, and three more in the afternoon, with the
# morning's compression as `previous`. The faulty function loses nothing protected. What is in the second summary?
#
# *a.* All six messages. *b.* The three of the afternoon. *c.* The three of the morning.

# %%
stage.inject("forgets_the_first")

# %%
stage.repair("forgets_the_first")

# %% [markdown]
# **Debrief.** It was *b*: the morning stood in the first summary and nowhere else. A summary is talk as well, the
# oldest there is. Whatever shortens the talk a second time begins with it, whoever writes the summary.
