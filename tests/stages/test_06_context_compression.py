"""Stage 6: what a compression promises. Every test is a sentence about it, and so is every failure."""

from __future__ import annotations

from forge.chain import sha256
from forge.context import (
    ContextPacket,
    audit_compression,
    compress_context,
    critical_fingerprint,
    verify_critical_fidelity,
)
from forge.context.compression import newest
from forge.errors import ForgeError

RULES = ("Review the change before writing.", "Never add a dependency.")
LEFT_OUT = "[older messages left out]"
PROTECTED = {
    "instructions": RULES,
    "permission_decisions": ("write_access=revoked",),
    "commitments": ("Do not publish partial results.",),
}


def packet(messages=(), **fields):
    return ContextPacket(**{**PROTECTED, **fields}, messages=tuple(messages))


def talk(number, word="message"):
    return [f"{word} {index}: the exporter writes file {index}" for index in range(1, number + 1)]


def refusal(act, *values, **options):
    """The first words of the refusal, else what was done instead."""
    return told(act, *values, **options, words=True)


def told(act, *values, words=False, **options):
    """The first sentence of the refusal, or its first words alone, else what was done instead."""
    try:
        accepted = act(*values, **options)
    except ValueError as error:
        first = error.words if isinstance(error, ForgeError) else str(error).partition(":")[0]
        return f"ValueError: {first if words else str(error).partition('. ')[0]}"
    return "accepted: nothing was raised" if accepted is None else f"accepted, as a {type(accepted).__name__}"


def test_compression_preserves_critical_context_verbatim():
    source = packet(talk(20))
    short = compress_context(source, max_summary_chars=140)
    assert short.instructions == RULES, "the instructions must be the same, word for word"
    assert short.permission_decisions == ("write_access=revoked",), (
        "the permission decisions must be the same"
    )
    assert short.commitments == ("Do not publish partial results.",), "the commitments must be the same"
    assert short.source_message_count == 20, "the compression must say how many messages there were"
    assert len(short.message_summary) <= 140, "the summary must keep its limit"
    assert "message 20" in short.message_summary, "the summary must keep the newest message"
    verify_critical_fidelity(source, short)

    assert compress_context(packet()).message_summary == "", "without messages there must be nothing to say"
    found = refusal(compress_context, source, max_summary_chars=79)
    expected = "ValueError: max_summary_chars must leave enough room for a useful summary"
    assert found == expected, "a limit that leaves no room must be refused"


def test_changed_permission_decision_fails_fidelity_check():
    source = packet(talk(3))
    short = compress_context(source)
    words = "ValueError: compression changed permission decisions"
    for decisions in (("write_access=allowed",), (), ("write_access=revoked", "write_access=allowed")):
        tampered = short.model_copy(update={"permission_decisions": decisions})
        found = refusal(verify_critical_fidelity, source, tampered)
        assert found == words, f"permission decisions changed to {decisions} must be noticed"
    changed = short.model_copy(update={"permission_decisions": ("write_access=allowed",)})
    found = told(verify_critical_fidelity, source, changed)
    expected = f"{words}: text 1 was 'write_access=revoked', found 'write_access=allowed'"
    assert found == expected, "the error must say what the source has, and then what was found"

    twice = packet(permission_decisions=("write_access=allowed", "write_access=revoked"))
    turned = compress_context(twice).model_copy(
        update={"permission_decisions": ("write_access=revoked", "write_access=allowed")}
    )
    found = refusal(verify_critical_fidelity, twice, turned)
    assert found == words, "permission decisions in another order must be noticed: the last one holds"


def test_fingerprint_prevents_silent_critical_context_replacement():
    source = packet(talk(3))
    short = compress_context(source)
    known = "849aad5451c09c6b6e50039f055267b3655a1cc7159d9b0fb1d1161e586c21bb"
    assert short.critical_fingerprint == critical_fingerprint(source), (
        "the compression must carry the fingerprint"
    )
    text = b'{"commitments":[],"instructions":["Stop."],"permission_decisions":[]}'
    found = critical_fingerprint(ContextPacket(instructions=("Stop.",))) == sha256(text)
    assert found is True, f"the fingerprint must be the SHA-256 of {text.decode()}"
    assert critical_fingerprint(source) == known, "each protected field must be in the fingerprint"
    tampered = short.model_copy(update={"critical_fingerprint": "0" * 64})
    found = refusal(verify_critical_fidelity, source, tampered)
    expected = "ValueError: critical context fingerprint mismatch"
    assert found == expected, "another fingerprint must be noticed"


def test_a_fingerprint_tells_fields_texts_and_order_apart():
    first = critical_fingerprint(packet())
    moved = packet(instructions=RULES[:1], commitments=(RULES[1], *PROTECTED["commitments"]))
    joined = packet(instructions=(RULES[0] + RULES[1],))
    turned = packet(instructions=RULES[::-1])
    for name, other in (("moved", moved), ("joined", joined), ("turned around", turned)):
        found = critical_fingerprint(other) == first
        assert found == False, f"texts that are {name} must have another fingerprint"  # noqa: E712
    split = critical_fingerprint(packet(instructions=("ab", "c")))
    shifted = critical_fingerprint(packet(instructions=("a", "bc")))
    assert (split == shifted) == False, "the border between two texts must count"  # noqa: E712
    assert critical_fingerprint(packet(talk(9))) == first, "messages must not change the fingerprint"


def test_changed_instructions_and_commitments_fail_the_fidelity_check():
    source = packet(talk(3))
    short = compress_context(source)
    for field, changed in (("instructions", RULES[:1]), ("instructions", RULES[::-1]), ("commitments", ())):
        found = refusal(verify_critical_fidelity, source, short.model_copy(update={field: changed}))
        assert found == f"ValueError: compression changed {field}", (
            f"{field} changed to {changed} must be noticed"
        )


def test_standing_instructions_survive_two_compressions():
    first = compress_context(packet(talk(9)), max_summary_chars=100)
    source = packet(talk(9, "later"))
    second = compress_context(source, max_summary_chars=100, previous=first)
    assert second.instructions == RULES, "an instruction must be the same after the second compression"
    assert second.critical_fingerprint == first.critical_fingerprint, "nor must the fingerprint have changed"

    three = dict.fromkeys(PROTECTED, ("The first.", "The second.", "The third."))
    first = compress_context(packet(**three))
    for field in PROTECTED:
        expected = f"ValueError: compression changed {field.replace('_', ' ')}"
        for lost in three[field]:
            kept = tuple(text for text in three[field] if text != lost)
            for texts, what in (
                (kept, "gone"),
                ((*kept, "Another."), "another one now"),
                ((*kept, lost + ".."), "the beginning of a longer one"),
            ):
                found = refusal(compress_context, packet(**{**three, field: texts}), previous=first)
                assert found == expected, (
                    f"a packet that has lost a protected text must be refused: {lost!r} is {what}"
                )
        more = packet(**{**three, field: ("Before them.", *three[field])})
        found = refusal(compress_context, more, previous=first)
        assert found == "accepted, as a CompressedContext", f"one more text in the {field} must be accepted"


def test_an_approval_that_nobody_gave_is_noticed():
    asked = packet(["assistant: The plan touches main.", "assistant: May I write to main?"])

    def invented(messages, limit):
        return "Work on main. User agreed to it."

    audit = audit_compression(asked, compress_context(asked, summarize=invented))
    found = [row.text for row in audit.problems]
    assert found == ["User agreed to it."], "an approval without a source must be named"

    granted = packet(
        ["assistant: May I write to main, now that it is green?", "user: Write access is granted."]
    )
    quoted = compress_context(granted, summarize=lambda messages, limit: "user: Write access is granted.")
    audit = audit_compression(granted, quoted)
    assert audit.holds, "an approval that the user gave must be traced to it"
    sources = [row.found for row in audit.rows if row.place == "message_summary"]
    assert sources == ["messages[1]"], "the audit must say which message gave the approval"

    talk_of_two = compress_context(granted)
    assert audit_compression(granted, talk_of_two).holds, "each line of a summary must be read by itself"
    for question in ("Should I write to main?", "可以授权吗？"):
        asks = compress_context(asked, summarize=lambda messages, limit, question=question: question)
        assert audit_compression(asked, asks).holds, f"a question grants nothing: {question}"
    long = packet(["user: You must ask " + "again and " * 30])
    cut = audit_compression(long, compress_context(long, max_summary_chars=80))
    sources = [row.found for row in cut.rows if row.place == "message_summary"]
    assert sources == ["messages[0]"], "a message that was cut must be traced to the whole one"

    slipped_in = quoted.model_copy(update={"permission_decisions": ("write_access=allowed",)})
    found = [(row.question, row.text) for row in audit_compression(granted, slipped_in).problems]
    expected = [("kept", "write_access=revoked"), ("sourced", "write_access=allowed")]
    assert found == expected, "what was lost and what was invented must both be named"


def test_a_blank_summary_is_refused():
    for blank in ("", " \n ", None, 7):
        found = refusal(
            compress_context, packet(talk(9)), summarize=lambda messages, limit, blank=blank: blank
        )
        assert found == "ValueError: the summary is blank", f"{blank!r} must not stand for nine messages"
    unasked = compress_context(packet(["", " "]), summarize=lambda messages, limit: "All is well.")
    assert unasked.message_summary == "", "with nothing to say, nothing must be said"


def test_a_summariser_that_fails_leaves_the_packet_as_it_was():
    source = packet(talk(9))
    before = source.model_dump()

    def fails(messages, limit):
        raise ConnectionError("the model is away")

    found = refusal(compress_context, source, summarize=fails)
    assert found == "ValueError: the summariser failed", "the failure must be told by name"
    assert source.model_dump() == before, "the packet must be as it was"


def test_the_messages_that_are_covered_are_the_ones_in_the_summary():
    messages = talk(8)
    for limit in (150, 80, 104, 105, 120, 200, 400):
        short = compress_context(packet(messages), max_summary_chars=limit)
        newest_first = [message in short.message_summary for message in reversed(messages)]
        kept = [*newest_first, False].index(False)
        assert not any(newest_first[kept:]), "the summary must keep the newest messages without a hole"
        assert short.covered_message_count == kept, "the compression must cover what it says it covers"
        assert ("left out" in short.message_summary) == (kept < 8), "what is left out must be said"


def test_a_summary_quotes_as_many_of_the_newest_messages_as_fit():
    messages = talk(8)
    lengths = [len("\n".join(["[older messages left out]", *messages[-number:]])) for number in range(1, 8)]
    for number, length in enumerate(lengths[1:], start=2):
        for limit, expected in ((length, number), (length - 1, number - 1)):
            found = compress_context(packet(messages), max_summary_chars=limit).message_summary.split("\n")
            assert found == ["[older messages left out]", *messages[-expected:]], (
                f"in {limit} code points the newest {expected} must be quoted, whole and oldest first"
            )
    whole = "\n".join(messages)
    short = compress_context(packet(messages), max_summary_chars=len(whole))
    assert short.message_summary == whole, "when all of them fit exactly, all must be quoted"
    said_again = [*messages, *messages[-1:] * 5, " "]
    short = compress_context(packet(said_again), max_summary_chars=lengths[1])
    assert short.message_summary.split("\n")[1:] == messages[-2:], "what was said again must be quoted once"
    assert short.covered_message_count == 8, "texts that are blank or said again must be covered too"


def test_the_newest_that_fit_are_kept_and_seen_from_then_on():
    seen = {"said"}
    found = newest(["one", " two\n ", "said", ""], 99, seen)
    assert found == (["one", "two"], 4), "the lines must be the newest that fit, oldest first"
    assert sorted(seen) == ["one", "said", "two"], "the caller's set must hold the lines that were kept"
    found = newest(["one", "three"], 6, set())
    assert found == (["three"], 1), "a line must need its length and one more, for the newline"
    found = newest(["one", "three"], 2, set())
    assert found == (["…"], 0), "a text that is cut must keep to the room"


def test_a_newest_message_that_is_too_long_is_cut_and_not_counted():
    short = compress_context(packet(["plan", "x" * 300]), max_summary_chars=100)
    found = (short.message_summary.endswith("…"), "plan" in short.message_summary)
    assert found == (True, False), "the newest message must be kept, cut, rather than an older one"
    assert len(short.message_summary) == 100, "a message that is cut must fill the room"
    assert short.covered_message_count == 0, "a message that was cut must not count as covered"
    spaced = compress_context(packet(["x" * 72 + " " + "y" * 99]), max_summary_chars=100)
    assert spaced.message_summary == f"{LEFT_OUT}\n{'x' * 72}…", "there must be no blank before a cut"


def test_a_summary_is_smaller_than_what_it_replaces():
    source = packet(talk(9))
    full = compress_context(source, max_summary_chars=200, summarize=lambda messages, limit: "x" * limit)
    assert len(full.message_summary) == 200, "a summary of exactly the limit must be accepted"
    found = refusal(
        compress_context, source, max_summary_chars=900, summarize=lambda messages, limit: "x" * 901
    )
    assert found == "ValueError: the summary is too long", "a summary beyond its limit must be refused"
    everything = "\n".join(source.messages)
    found = refusal(
        compress_context, source, max_summary_chars=900, summarize=lambda messages, limit: everything
    )
    assert found == "ValueError: the summary made nothing smaller", (
        "a summary that saves nothing must be refused"
    )
    repeated = compress_context(packet(talk(3) * 50))
    assert repeated.message_summary == "\n".join(talk(3)), "what was said again must be quoted once"


def test_a_second_compression_remembers_the_first():
    first = compress_context(packet(talk(3)))
    second = compress_context(packet(talk(3, "later")), previous=first)
    expected = "\n".join([*talk(3), *talk(3, "later")])
    assert second.message_summary == expected, "the first summary must be folded into the second, as one"

    crowded = compress_context(packet(talk(30, "later")), max_summary_chars=150, previous=first)
    assert "message 3" in crowded.message_summary, "many new messages must not push out the first summary"
    assert "later 30" in crowded.message_summary, "the newest message must be kept beside it"
    third = compress_context(packet(talk(30, "last")), max_summary_chars=150, previous=crowded)
    assert third.message_summary.count("left out") == 1, "however often, there must be one summary"
    assert len(third.message_summary) <= 150, "a summary with another folded in must keep its limit"

    heard = []
    compress_context(
        packet(talk(3)), previous=first, summarize=lambda *given: heard.extend(given) or "Files."
    )
    texts, limit = heard
    assert texts[0] == first.message_summary, "a given summariser must hear the first summary before the rest"
    assert list(texts[1:]) == talk(3), "a given summariser must hear the messages behind it, oldest first"
    assert limit == 400, "a given summariser must hear the limit"


def test_a_first_summary_keeps_up_to_a_third_of_the_room():
    first = compress_context(packet(["x" * 300, "plan"]), max_summary_chars=80)
    assert first.message_summary == f"{LEFT_OUT}\nplan", "a first summary must hold what fitted"
    messages = talk(8)
    for number in (2, 3):
        expected = [LEFT_OUT, "plan", *messages[-number:]]
        length = len("\n".join(expected))
        second = compress_context(packet(messages), max_summary_chars=length, previous=first)
        assert second.message_summary.split("\n") == expected, "a short first summary must be kept whole"
        second = compress_context(packet(messages), max_summary_chars=length - 1, previous=first)
        expected = [LEFT_OUT, "plan", *messages[1 - number :]]
        assert second.message_summary.split("\n") == expected, "the messages must make room for it"

    first = compress_context(packet([f"morning {letter}" for letter in "abcdefghij"]))
    messages = [f"evening {letter}" for letter in "abcdefghij"]
    for limit, old, new in ((125, 4, 6), (129, 3, 7)):
        second = compress_context(packet(messages), max_summary_chars=limit, previous=first)
        lines = second.message_summary.split("\n")
        found = sum("morning" in line for line in lines), sum("evening" in line for line in lines)
        assert found == (old, new), "a long first summary must keep a third, and what the messages leave"
