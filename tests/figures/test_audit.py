from __future__ import annotations

from forge.context import CompressedContext, ContextPacket, audit_compression, compress_context
from forge.figures import audit_board

SOURCE = ContextPacket(
    instructions=("Answer in English.", "Never push to main."),
    permission_decisions=("write revoked",),
    messages=("user: How far are you?", "assistant: I will send the draft.") * 3,
)


def rows(compressed: CompressedContext) -> list[tuple[str, ...]]:
    return [
        (label, *map(str, cells)) for label, cells in audit_board(audit_compression(SOURCE, compressed)).rows
    ]


def test_each_text_stands_once_with_its_place_on_both_sides() -> None:
    found = rows(compress_context(SOURCE, max_summary_chars=80))
    assert found[:3] == [
        ("Answer in English.", "instruction", "✓ instructions[0]", "✓ instructions[0]"),
        ("Never push to main.", "instruction", "✓ instructions[1]", "✓ instructions[1]"),
        ("write revoked", "permission decision", "✓ permission_decisions[0]", "✓ permission_decisions[0]"),
    ]
    assert found[-1][0] == "assistant: I will send the draft."
    assert found[-1][3] == "✓ message_summary"


def test_what_the_compression_lacks_is_lost_and_what_the_source_lacks_is_invented() -> None:
    compressed = compress_context(SOURCE).model_copy(
        update={"instructions": SOURCE.instructions[:1], "message_summary": "The user agreed to a push."}
    )
    found = rows(compressed)
    assert ("Never push to main.", "instruction", "✓ instructions[1]", "✗ lost") in found
    assert ("The user agreed to a push.", "permission decision", "✗ invented", "✓ message_summary") in found
    caption = audit_board(audit_compression(SOURCE, compressed)).caption
    assert caption.startswith("1 lost, 1 invented. ")


def test_texts_in_another_order_are_told_as_each_side_sees_them() -> None:
    turned = compress_context(SOURCE).model_copy(update={"instructions": SOURCE.instructions[::-1]})
    assert [(row[0], *row[2:]) for row in rows(turned) if row[1] == "instruction"] == [
        ("Answer in English.", "✓ instructions[0]", "✓ instructions[1]"),
        ("Never push to main.", "✓ instructions[1]", "✗ lost"),
        ("Never push to main.", "✓ instructions[1]", "✓ instructions[0]"),
        ("Answer in English.", "✗ invented", "✓ instructions[1]"),
    ]


def test_the_caption_says_what_was_gained() -> None:
    audit = audit_compression(SOURCE, compress_context(SOURCE))
    caption = audit_board(audit).caption
    assert caption.startswith("Nothing was lost and nothing was invented. ")
    assert f"{audit.size_before} code points of messages became a summary of {audit.size_after}" in caption


def test_a_long_text_is_cut() -> None:
    long = ContextPacket(instructions=("word " * 100,))
    label, _ = audit_board(audit_compression(long, compress_context(long))).rows[0]
    assert len(label) == 160
    assert label.endswith("…")
