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
# and every call shows the model more. **What may be made shorter, and how do you notice when too much was?** That is
# the question of this stage.

# %%
from forge.course import open_stage

stage = open_stage("06_context_compression")

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
# A **context** is what one call of the model gets to see. In Forge it is a packet of four fields. Three of them
# bind: instructions, permission decisions, and commitments, which are what the agent has promised. The fourth
# is talk.

# %%
from forge.context import ContextPacket

talk = [f"message {n}: the exporter writes file {n}" for n in range(1, 21)]
packet = ContextPacket(
    instructions=["Review the change before writing.", "Never add a dependency."],
    permission_decisions=["write_access=revoked"],
    commitments=["Do not publish partial results."],
    messages=talk,
)
print(sum(len(message) for message in packet.messages), "code points of talk")

# %% [markdown]
# To **compress** a context is to put one short summary in the place of its messages. What binds is **protected**:
# it is carried over word for word. A **fingerprint**, the SHA-256 of the three protected fields, travels with
# the result and says of which source it was made.
#
# ```mermaid
# flowchart LR
#     accTitle: What a compression does with the four fields
#     accDescr: Instructions, permission decisions and commitments of the packet stand in the compression word for word, and a fingerprint is made of them. The messages become a summary. The check compares the protected fields of both, the audit also asks where the claims of the summary come from.
#     subgraph packet
#         bind["instructions<br>permission decisions<br>commitments"]
#         said["messages"]
#     end
#     subgraph compression
#         same["instructions<br>permission decisions<br>commitments"]
#         print["fingerprint"]
#         short["summary"]
#     end
#     bind -- "word for word" --> same
#     bind -- "SHA-256" --> print
#     said -- "made shorter" --> short
# ```
#
# *Three fields go across as they are, and only the messages are rewritten. The fingerprint is made from the
# packet, not from the fields beside it.*

# %% [markdown]
# ### What it is not
#
# Compression does not summarise whatever is long. A rule that was summarised is another rule.
#
# It is not cutting off, either. Messages may be left out; half an instruction may not, because what
# comes next relies on the other half.
#
# And the fingerprint is no signature. Whoever changes a compression can compute a new one, and you will.
#
# ### How it relates to its neighbours
#
# The journal of a run (stage 1) still holds every event: a compression shortens what is shown and deletes
# nothing. A memory (stage 5) is in the context only when somebody put it there. A summary is derived from
# messages, and when one of them must be forgotten, so must the summary (stage 7).
#
# **Boundary.** Instructions, permission decisions and commitments are carried over word for word and
# fingerprinted; only messages may be shortened. One differing text or another fingerprint, and the compression
# is refused.

# %% [markdown]
# ## Worked example
#
# An agent adds a feature to a front-end repository. Its context is the packet above: two instructions, a
# permission decision, a commitment, and twenty messages.
#
# **1.** Compress it, to a summary of at most 140 code points.

# %%
from forge.context import compress_context

short = compress_context(packet, max_summary_chars=140)
print(short.message_summary)

# %% [markdown]
# **2.** Look at what was said about the summary: its length, how many messages there were, and how many of
# them it stands for, counted from the newest.

# %%
print(len(short.message_summary), short.source_message_count, short.covered_message_count)

# %% [markdown]
# **3.** Compare what binds. The check does the same, and says nothing when all is well.

# %%
from forge.context import verify_critical_fidelity

for field in ("instructions", "permission_decisions", "commitments"):
    print(field, getattr(short, field) == getattr(packet, field))

verify_critical_fidelity(packet, short)

# %% [markdown]
# **4.** Change the decision, as a careless program between here and the model might.

# %%
tampered = short.model_copy(update={"permission_decisions": ["write_access=allowed"]})

try:
    verify_critical_fidelity(packet, tampered)
except ValueError as error:
    print(error)

# %% [markdown]
# **5.** Compress again, later, with new messages. The earlier compression goes in as `previous`: its summary is
# folded into the new one, and all that it protected must stand in the new packet.

# %%
later = ContextPacket(
    instructions=packet.instructions[:1],
    permission_decisions=packet.permission_decisions,
    commitments=packet.commitments,
    messages=["message 21: the search page is done"],
)

try:
    compress_context(later, previous=short)
except ValueError as error:
    print(error)

# %% [markdown]
# This is the real check; what you write in this stage is folded away.

# %%
stage.source("forge.context.packet:verify_critical_fidelity")

# %% [markdown]
# ### Why it is built this way
#
# The check does not ask whether a summary is good. Nobody can compute that. It asks whether texts are equal,
# which takes one line and has no opinion.
#
# It needs the source for this. Change the permission *and* compute the fingerprint again, and the compression
# agrees with itself:

# %%
from forge.context import critical_fingerprint

allowed = packet.model_copy(update={"permission_decisions": ["write_access=allowed"]})
forged = compress_context(allowed)

print("agrees with itself:", forged.critical_fingerprint == critical_fingerprint(allowed))
print("belongs to the packet:", forged.critical_fingerprint == critical_fingerprint(packet))

# %% [markdown]
# So a fingerprint answers one question: was this made from the source I hold? It finds a compression of
# yesterday's rules in one comparison. It cannot find a liar where nobody holds the source.
#
# ### The other side
#
# Equal fields show that nothing was lost. They do not show that nothing was added. In this talk a question
# was asked, and one thing was granted.

# %%
from forge.context import audit_compression
from forge.figures import audit_board

review = ContextPacket(
    permission_decisions=["write_access=revoked"],
    messages=[
        "assistant: I have read the change and its three tests.",
        "user: Read access is granted.",
        "assistant: May I write to main, now that it is green?",
    ],
)
fair = compress_context(review, summarize=lambda texts, limit: "user: Read access is granted.")
audit_board(audit_compression(review, fair), title="A fair summary")

# %% [markdown]
# The audit looks at both sides. What the source protects must be in the compression; what the summary claims must
# be in the source, and the board says where. Take away the decision, and the first side breaks:

# %%
lossy = fair.model_copy(update={"permission_decisions": []})
audit_board(audit_compression(review, lossy), title="Something was lost")

# %% [markdown]
# Now a summary that answers the question which nobody answered. `verify_critical_fidelity` has no objection:
# every protected field is as it was.

# %%
invented = compress_context(review, summarize=lambda texts, limit: "User agreed to write.")
verify_critical_fidelity(review, invented)
audit_board(audit_compression(review, invented), title="Something was invented")

# %% [markdown]
# This second side goes by words such as *agreed*, *granted* and *must*, and looks for the same sentence in the
# source. A claim in other words goes unseen. What binds has fields of its own for that reason, and a summary
# binds nobody.
#
# The contract of this stage is a file of tests. They run here as they run in a terminal.

# %%
stage.tests()

# %% [markdown]
# ## Timeline
#
# One day of talk, compressed twice, in which the permission changes. The reducer keeps what the next call
# would see. Move through it and watch two things: the sentence in which the user takes it back, and `write_access=revoked`.

# %%
from forge.context.compression import quote_newest
from forge.history import History
from forge.timeline import Timeline

steps = [
    ("message", "user: Add a search page to the shop."),
    ("permission", "write_access=allowed"),
    ("message", "assistant: The page lists all articles."),
    ("message", "user: Do not write, and only read."),
    ("permission", "write_access=revoked"),
    ("message", "assistant: Filters are next, as a plan."),
    ("compress", "at most 80 code points"),
    ("message", "user: Show the plan for the filters."),
    ("message", "assistant: Price, size and colour."),
    ("compress", "at most 80 code points"),
]
happened = [{"kind": kind, "text": text} for kind, text in steps]


# %%
def visible(state, event):
    state = state or {"permissions": [], "summary": [], "messages": []}
    if event["kind"] == "message":
        return {**state, "messages": [*state["messages"], event["text"]]}
    if event["kind"] == "permission":
        return {**state, "permissions": [*state["permissions"], event["text"]]}
    earlier = "\n".join(state["summary"])
    summary, _ = quote_newest(earlier, tuple(state["messages"]), 80)
    return {**state, "summary": summary.split("\n"), "messages": []}


MARKS = {"permission": "▲ permission", "compress": "◆ compressed"}
history = History(
    happened,
    visible,
    describe=lambda event: event["kind"],
    marks=lambda event, before, after: MARKS.get(event["kind"]),
)
Timeline(history, title="what the next call sees")

# %% [markdown]
# After step 7 the user's sentence is gone: eighty code points had no room for it. The decision that it led to is
# in a field of its own, and is there after step 10 as on the day it was made.

# %%
for prefix in (6, 7, 10):
    state = history.at(prefix)
    shown = "\n".join([*state["summary"], *state["messages"]])
    print(prefix, "Do not write" in shown, state["permissions"][-1])

# %% [markdown]
# ## Guided exercise: compare the permission decisions
#
# Below is `verify_critical_fidelity` with one of its four questions missing. About 6 minutes.
#
# 1. Find the place, between the instructions and the commitments.
# 2. Compare the permission decisions of the compression with those of the source.
# 3. When they differ, raise the error that `changed` makes. It takes the name of the field as two words,
#    *permission decisions*, then the texts of the source, then those of the compression.
# 4. Run the cell. It checks your function with the tests of this stage.
#
# Done when `test_changed_permission_decision_fails_fidelity_check` passes: a decision that was changed is
# refused, one that is gone, one too many, and two in another order.

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
# Stuck? One hint opens at a time, and none of them is the line.
stage.hint("compare_permissions")

# %% [markdown]
# ## Fault lab: the permission that went through
#
# Your comparison keeps a promise. This lab takes it out of forge again and lets you see what the promise was
# worth.
#
# **Before you run it.** A compression is made, and afterwards its decision is changed to
# `write_access=allowed`. Its fingerprint stays. The faulty check still asks about instructions, commitments
# and the fingerprint. What does it say?
#
# - a. The fingerprint does not match.
# - b. Nothing.
# - c. The permission decisions changed.

# %%
stage.inject("permission_left_out")

# %% [markdown]
# It is *b*. The fingerprint in the compression was copied from the source, and it still is the source's. No one
# computed it from the field beside it.
#
# Follow the diagnosis, then mend the function. You have written the line before; this time the way to it is
# what counts.

# %%
stage.repair("permission_left_out")

# %% [markdown]
# **Debrief.** A hash that travels with a text protects it only when somebody computes it from that text. Here
# the fields are compared themselves, each of the three, and the fingerprint says which source they belong to.

# %% [markdown]
# ## Fault lab: only the first rule survives
#
# This one happened to users of a real coding agent. It kept the rules of a project all morning, and after the
# talk was compressed it broke them.
#
# **Before you run it.** The first compression protected two rules. The next packet has lost the second one,
# `Never add a dependency.` The faulty function looks at the first text of each field. What does
# `compress_context` do with the packet and the earlier compression?
#
# - a. It refuses them.
# - b. It takes the second rule from the earlier compression.
# - c. It compresses the packet, and the rule is gone.

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
# on three broken editions of forge, and each time one of your assertions has to fail.

# %%
from forge.context import (
    CompressedContext,
    ContextPacket,
    compress_context,
    verify_critical_fidelity,
)


@stage.transfer("release_review")
def release_review() -> tuple[CompressedContext, ValueError]:
    """Compress a review, change its permission; return the compression and the refusal."""
    ### BEGIN SOLUTION
    packet = ContextPacket(
        instructions=[
            "Review the frontend change before writing.",
            "Keep test evidence for every modification.",
        ],
        permission_decisions=["write_access=revoked"],
        commitments=["Do not publish partial results."],
        messages=["user: Please review the search page."],
    )
    short = compress_context(packet)
    for field in ("instructions", "permission_decisions", "commitments"):
        assert getattr(short, field) == getattr(packet, field), field

    allowed = {"permission_decisions": ["write_access=allowed"]}
    changed = short.model_copy(update=allowed)
    try:
        verify_critical_fidelity(packet, changed)
    except ValueError as error:
        refusal = error
    else:
        raise AssertionError("a changed permission was accepted")
    assert "permission decisions" in str(refusal)
    return short, refusal
    ### END SOLUTION


# %%
stage.hint("release_review")

# %% [markdown]
# ## Explain
#
# In your own words: **why must what binds be kept word for word, instead of being summarised well?** Write
# between the quotes and run the cell. Then you see what a strong answer contains, and mark your own.

# %%
explanation = """
### BEGIN SOLUTION
#|
A summary keeps the topic and may lose the decision: "write access was
discussed" can be said of a permission that was given and of one that was
taken away. The agent acts on these texts, so another wording is another act.
And whether two texts are equal can be checked by a machine, against the
source, while nobody can check whether a summary of a rule is good enough.
### END SOLUTION
"""
### BEGIN SOLUTION
#| stage.explain(explanation)
stage.explain(explanation, covered=(1, 2, 3))
### END SOLUTION

# %% [markdown]
# ## Mastery
#
# You have shown this stage when its three tests pass, when you can say why what binds is kept word for word
# and what a fingerprint shows, and when you have noticed a changed permission in a review. The cell reads your
# evidence and writes it down.

# %%
stage.mastery()

# %% [markdown]
# Forge now shortens what it shows and keeps what it must. A summary is also a copy, though: it quotes messages
# that somebody may ask to have forgotten. [Stage 7](07_replay_and_deletion.ipynb) deletes them, with all that
# was derived from them.

# %% [markdown] jp-MarkdownHeadingCollapsed=true
# ## More practice
#
# Two more functions to write and four more faults, all of kinds that people have met in real systems. About 40
# minutes for all of them; every one stands on its own.

# %% [markdown]
# ### Exercise: one fingerprint
#
# Write `critical_fingerprint`: the SHA-256, in 64 hexadecimal digits, of the three protected fields of a packet.
# Hash the **canonical JSON** of a dict that holds, under the name of each field, the list of its texts.
# `("ab", "c")` and `("a", "bc")` must not look alike, and messages must not count. About 8 minutes.

# %%
from forge.chain import canonical, sha256
from forge.context.packet import PROTECTED


@stage.exercise("one_fingerprint")
def critical_fingerprint(packet):
    """The SHA-256 of the protected fields of a packet, as canonical JSON."""
    ### BEGIN SOLUTION
    #| # PROTECTED holds the three names, canonical(value) gives bytes,
    #| # and sha256(bytes) gives the digits.
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
# - A line needs its length and one more, for the newline. A line that is kept is `seen` from then on.
# - The first text that does not fit ends the walk: no hole. If nothing was kept until then, its beginning is
#   kept and does not count as covered.
#
# The two lines for the last case are given. About 12 minutes.

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
# **Before you run it.** The assistant asks for permission, nobody answers, and the summary says *User agreed to
# it.* The faulty audit looks for that sentence in all that there is to read. What does it report?
#
# - a. An approval without a source.
# - b. Nothing.
# - c. That a question was left open.

# %%
stage.inject("approval_invented")

# %% [markdown]
# It is *b*. The sentence was found, in the summary that had made it up.

# %%
stage.repair("approval_invented")

# %% [markdown]
# **Debrief.** A source is what somebody said, and the text under suspicion is never one. That rule is
# older than computers.

# %% [markdown]
# ### Nine messages become nothing
#
# **Before you run it.** The summariser answers with an empty text. The faulty function asks two things of a
# summary: that it keeps its limit, and that it is shorter than what it replaces. What becomes of the nine
# messages?
#
# - a. They stay: an empty summary is an error.
# - b. They are quoted instead.
# - c. They are replaced by nothing.

# %%
stage.inject("blank_summary")

# %% [markdown]
# It is *c*. By both questions, nothing is the best summary there can be.

# %%
stage.repair("blank_summary")

# %% [markdown]
# **Debrief.** A bound from above invites nothing at all. Whatever replaces something needs a bound from below
# too, and until it has passed, the original stays.

# %% [markdown]
# ### Eight are gone, three are told
#
# **Before you run it.** Of eight messages three fit into the summary. The faulty function says that it covers
# every message it was given. A program removes as many messages as are covered. How many are in no summary and
# in no talk?
#
# - a. None.
# - b. Three.
# - c. Five.

# %%
stage.inject("covers_too_much")

# %% [markdown]
# It is *c*, and the summary itself is right. What is wrong is a number beside it.

# %%
stage.repair("covers_too_much")

# %% [markdown]
# **Debrief.** What is removed must be what was summarised. Only the function that fitted the messages in knows
# how many they were, so its number is the one that is handed on.

# %% [markdown]
# ### The second summary forgets the first
#
# **Before you run it.** Three messages were compressed in the morning, and three more in the afternoon, with
# the morning's compression as `previous`. The faulty function still checks that nothing protected was lost. What
# is in the second summary?
#
# - a. All six messages.
# - b. The three of the afternoon.
# - c. The three of the morning.

# %%
stage.inject("forgets_the_first")

# %% [markdown]
# It is *b*. The morning stood in the first summary and nowhere else.

# %%
stage.repair("forgets_the_first")

# %% [markdown]
# **Debrief.** A summary is talk as well: the oldest there is. Whatever shortens the talk a second time begins
# with it, and both ways to a summary must hear it.
