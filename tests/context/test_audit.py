from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.context import AuditRow, ContextPacket, audit_compression, compress_context
from forge.context import verify_critical_fidelity as verify
from forge.errors import FidelityLost, InvalidValue

words = st.sampled_from(
    [
        "user: yes.",
        "assistant: May I?",
        "We must wait.",
        "It is allowed…",
        "a.b=c",
        "",
        " I will ",
        "同意。必须",
        "[older messages left out]",
        "never again. " * 30,
    ]
)
texts = words | st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
lists = st.lists(texts, max_size=4)
packets = st.builds(
    ContextPacket, instructions=lists, permission_decisions=lists, commitments=lists, messages=st.lists(texts)
)
FIELDS = ("instructions", "permission_decisions", "commitments")


def said(packet: ContextPacket, summary: str) -> list[AuditRow]:
    """The rows about a summary that says this in place of the packet's messages."""
    compressed = compress_context(packet).model_copy(update={"message_summary": summary})
    return [row for row in audit_compression(packet, compressed).rows if row.place == "message_summary"]


@given(packets, packets, st.integers(80, 300))
def test_a_compression_that_only_quotes_passes_both_sides(
    first: ContextPacket, second: ContextPacket, limit: int
) -> None:
    earlier = compress_context(first, max_summary_chars=limit)
    assert audit_compression(first, earlier).problems == ()
    second = first.model_copy(update={"messages": second.messages})
    later = compress_context(second, max_summary_chars=limit, previous=earlier)
    assert audit_compression(second, later, previous=earlier).problems == ()


@given(packets, st.sampled_from(FIELDS), lists)
def test_the_audit_and_the_fidelity_check_agree_on_what_is_protected(
    packet: ContextPacket, field: str, other: list[str]
) -> None:
    compressed = compress_context(packet).model_copy(update={field: other})
    audit = audit_compression(packet, compressed)
    try:
        verify(packet, compressed)
    except FidelityLost:
        assert not audit.holds
    else:
        assert audit.holds


def test_each_side_names_what_the_other_has_not() -> None:
    packet = ContextPacket(instructions=("a", "b"), commitments=("c",))
    changed = compress_context(packet).model_copy(update={"instructions": ("b", "a", "d"), "commitments": ()})
    audit = audit_compression(packet, changed)
    assert [(row.question, row.place, row.text) for row in audit.problems] == [
        ("kept", "instructions[1]", "b"),
        ("sourced", "instructions[1]", "a"),
        ("sourced", "instructions[2]", "d"),
        ("kept", "commitments[0]", "c"),
    ]
    assert [row.found for row in audit.rows if row.text == "a"] == ["instructions[1]", None]


def test_another_fingerprint_is_a_row() -> None:
    packet = ContextPacket(instructions=("a",))
    changed = compress_context(packet).model_copy(update={"critical_fingerprint": "0" * 64})
    [row] = audit_compression(packet, changed).problems
    assert (row.kind, row.place, row.holds) == ("fingerprint", "critical_fingerprint", False)


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("User agreed to it.", "permission decision"),
        ("Write access was approved", "permission decision"),
        ("write_access=allowed", "permission decision"),
        ("用户同意写入", "permission decision"),
        ("We will publish on Friday.", "commitment"),
        ("我们承诺周五发布", "commitment"),
        ("Never add a dependency.", "instruction"),
        ("You don’t have to ask again, but you must wait.", "instruction"),
    ],
)
def test_a_sentence_that_claims_something_needs_a_source(sentence: str, kind: str) -> None:
    [row] = said(ContextPacket(messages=["user: hello"]), f"Some files were read. {sentence}")
    assert (row.kind, row.text, row.found) == (kind, sentence, None)
    [row] = said(ContextPacket(messages=["hello", f"Fine. {sentence}"]), sentence)
    assert row.found == "messages[1]"


def test_case_and_a_full_stop_do_not_make_another_sentence() -> None:
    packet = ContextPacket(messages=["Fine. It is allowed."])
    assert [row.found for row in said(packet, "it is allowed")] == ["messages[0]"]
    assert [row.found for row in said(packet, "it is allowed, too")] == [None]


@pytest.mark.parametrize("summary", ["Three files were read.", "May we write? Shall we?", "写完了", ""])
def test_a_sentence_that_claims_nothing_has_no_row(summary: str) -> None:
    assert said(ContextPacket(messages=["hello"]), summary) == []


def test_what_one_speaker_said_is_no_source_for_another() -> None:
    packet = ContextPacket(messages=["assistant: Going on. User agreed."])
    assert [row.found for row in said(packet, "assistant: Going on. User agreed.")] == ["messages[0]"]
    assert [row.found for row in said(packet, "User agreed.")] == [None]
    assert [row.found for row in said(packet, "user: User agreed.")] == [None]


def test_a_protected_text_is_a_source_and_an_unfinished_quote_has_one() -> None:
    packet = ContextPacket(
        permission_decisions=("write_access=revoked",), messages=["We must wait for Friday."]
    )
    assert [row.found for row in said(packet, "write_access=revoked")] == ["permission_decisions[0]"]
    assert [row.found for row in said(packet, "We must w…")] == ["messages[0]"]
    assert [row.found for row in said(packet, "We must go…")] == [None]


def test_a_second_compression_is_audited_against_the_first() -> None:
    earlier = compress_context(ContextPacket(messages=["user: I agree to the plan. It is approved."]))
    packet = ContextPacket(messages=["assistant: Good."])
    later = compress_context(packet, previous=earlier)
    assert not audit_compression(packet, later).holds
    audit = audit_compression(packet, later, previous=earlier)
    assert {row.found for row in audit.rows if row.place == "message_summary"} == {"the previous summary"}


def test_an_audit_says_how_much_smaller_it_got_and_cannot_be_changed() -> None:
    packet = ContextPacket(messages=["x" * 500])
    audit = audit_compression(packet, compress_context(packet, max_summary_chars=100))
    assert (audit.size_before, audit.size_after) == (500, 100)
    with pytest.raises(InvalidValue):
        audit.rows = ()
