from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.context import CompressedContext, ContextPacket, compress_context, critical_fingerprint
from forge.context import verify_critical_fidelity as verify
from forge.errors import FidelityLost, InvalidValue, SummaryRefused

LEFT_OUT = "[older messages left out]"

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
lists = st.lists(texts, max_size=6)
packets = st.builds(
    ContextPacket,
    instructions=lists,
    permission_decisions=lists,
    commitments=lists,
    messages=st.lists(texts | st.sampled_from(["yes", "no", " yes "]), max_size=30),
)
limits = st.integers(80, 500)
FIELDS = ("instructions", "permission_decisions", "commitments")


def one_line(text: str) -> str:
    return " ".join(text.split())


@given(packets, limits)
def test_a_summary_quotes_the_newest_messages_and_covers_what_it_says(
    packet: ContextPacket, limit: int
) -> None:
    short = compress_context(packet, max_summary_chars=limit)
    verify(packet, short)
    assert len(short.message_summary) <= limit
    assert short.source_message_count == len(packet.messages)
    said = [one_line(message) for message in packet.messages]
    lines = short.message_summary.split("\n")
    covered = short.covered_message_count
    assert covered is not None
    for line in said[len(said) - covered :]:
        assert not line or line in lines
    if covered < len(said):
        assert lines[0] == LEFT_OUT
        uncovered = said[len(said) - covered - 1]
        assert uncovered not in lines
    else:
        assert sorted(lines) == sorted({line for line in said if line} or {""})


@given(packets, limits)
def test_what_fits_is_quoted_whole(packet: ContextPacket, limit: int) -> None:
    distinct = {line for message in packet.messages if (line := one_line(message))}
    short = compress_context(packet, max_summary_chars=limit)
    fits = len("\n".join(distinct)) <= limit
    assert (short.covered_message_count == len(packet.messages)) >= fits
    assert short.message_summary.startswith(LEFT_OUT) == (not fits)


@given(st.lists(packets, min_size=2, max_size=4), limits)
def test_however_often_a_context_is_compressed_one_summary_of_everything_is_left(
    packets: list[ContextPacket], limit: int
) -> None:
    previous: CompressedContext | None = None
    protected = {field: getattr(packets[0], field) for field in FIELDS}
    for number, packet in enumerate(packets):
        marked = (*packet.messages, f"round {number}")
        following = ContextPacket(**protected, messages=marked)
        previous = compress_context(following, max_summary_chars=limit, previous=previous)
        verify(following, previous)
        lines = previous.message_summary.split("\n")
        assert len(previous.message_summary) <= limit
        assert lines.count(LEFT_OUT) <= 1
        assert lines[-1] == f"round {number}"


@given(packets, st.sampled_from(FIELDS), st.data())
def test_any_change_of_any_protected_text_is_caught(
    packet: ContextPacket, field: str, data: st.DataObject
) -> None:
    short = compress_context(packet)
    changed = data.draw(lists.map(tuple).filter(lambda other: other != getattr(packet, field)))
    with pytest.raises(FidelityLost, match=f"^compression changed {field.replace('_', ' ')}: text "):
        verify(packet, short.model_copy(update={field: changed}))
    tampered = packet.model_copy(update={field: changed})
    assert critical_fingerprint(tampered) != critical_fingerprint(packet)
    with pytest.raises(FidelityLost, match=r"^compression changed "):
        verify(tampered, short)


@given(packets, st.sampled_from(FIELDS), st.data())
def test_one_character_changed_in_one_protected_text_is_caught(
    packet: ContextPacket, field: str, data: st.DataObject
) -> None:
    texts = [*getattr(packet, field), "write_access=revoked"]
    packet = packet.model_copy(update={field: texts})
    at = data.draw(st.integers(0, len(texts) - 1).filter(lambda n: texts[n]))
    where = data.draw(st.integers(0, len(texts[at]) - 1))
    other = data.draw(st.characters(exclude_categories=["Cs"]).filter(lambda c: c != texts[at][where]))
    texts[at] = texts[at][:where] + other + texts[at][where + 1 :]
    short = compress_context(packet).model_copy(update={field: texts})
    with pytest.raises(FidelityLost) as caught:
        verify(packet, short)
    assert caught.value.evidence["field"] == field
    assert caught.value.evidence["index"] == at


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("changed", [("b", "a"), ("a", "b", "b"), ("a", "a"), ("a",), ("a", "b ")])
def test_another_order_and_a_repetition_are_changes(field: str, changed: tuple[str, ...]) -> None:
    packet = ContextPacket(**{field: ("a", "b")})
    short = compress_context(packet)
    with pytest.raises(FidelityLost):
        verify(packet, short.model_copy(update={field: changed}))


@given(packets)
def test_the_fingerprint_is_the_digest_of_the_three_fields(packet: ContextPacket) -> None:
    fields = {field: getattr(packet, field) for field in FIELDS}
    written = json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert critical_fingerprint(packet) == hashlib.sha256(written.encode()).hexdigest()


def test_a_hundred_thousand_messages_are_compressed_in_one_pass() -> None:
    packet = ContextPacket(messages=[f"message {number}" for number in range(100_000)])
    short = compress_context(packet, previous=compress_context(packet))
    assert short.message_summary.endswith("message 99998\nmessage 99999")


def test_a_message_longer_than_the_summary_is_cut_and_not_counted() -> None:
    short = compress_context(ContextPacket(messages=["first", "x" * 500]), max_summary_chars=100)
    assert short.message_summary == f"{LEFT_OUT}\n{'x' * 73}…"
    assert len(short.message_summary) == 100
    assert short.covered_message_count == 0


def test_a_summary_uses_its_room_to_the_last_code_point_and_no_further() -> None:
    for size in range(1, 90):
        packet = ContextPacket(messages=["first" * 20, "a" * size, "b" * 20])
        short = compress_context(packet, max_summary_chars=100)
        fits = len(LEFT_OUT) + 1 + size + 1 + 20 <= 100
        assert len(short.message_summary) <= 100
        assert (short.covered_message_count == 2) == fits


def test_what_is_said_again_is_quoted_once_where_it_was_said_last() -> None:
    packet = ContextPacket(messages=["x" * 400, "yes", "no", " no ", "yes", "", "no"])
    short = compress_context(packet)
    assert short.message_summary == f"{LEFT_OUT}\nyes\nno"
    assert short.covered_message_count == 6
    assert compress_context(ContextPacket(messages=["yes", "no", "yes"])).message_summary == "no\nyes"


def test_what_was_left_out_once_is_not_forgotten_when_there_is_room_again() -> None:
    previous = compress_context(ContextPacket(messages=["x" * 60, "y" * 60]), max_summary_chars=90)
    again = compress_context(ContextPacket(messages=["z"]), max_summary_chars=900, previous=previous)
    assert again.message_summary == f"{previous.message_summary}\nz"
    assert again.message_summary.startswith(LEFT_OUT)


def test_a_long_earlier_summary_keeps_a_third_of_the_room() -> None:
    previous = compress_context(
        ContextPacket(messages=["a" * 900]), max_summary_chars=300, summarize=lambda texts, limit: "a" * 300
    )
    packet = ContextPacket(messages=["b" * 10] * 1 + [f"message {number}" for number in range(50)])
    short = compress_context(packet, max_summary_chars=300, previous=previous)
    lines = short.message_summary.split("\n")
    assert lines[0] == LEFT_OUT
    assert lines[1].startswith("a" * 80)
    assert lines[-1] == "message 49"


def test_without_new_messages_the_earlier_summary_stands() -> None:
    previous = compress_context(ContextPacket(messages=["one", "two"]))
    again = compress_context(ContextPacket(), previous=previous)
    assert again.message_summary == "one\ntwo"
    assert again.covered_message_count == 0


def test_a_given_summariser_is_told_the_limit_and_answers_for_all_messages() -> None:
    asked: list[Any] = []

    def summarize(texts: tuple[str, ...], limit: int) -> str:
        asked.append((texts, limit))
        return "Two files."

    packet = ContextPacket(messages=["wrote file 1", "wrote file 2"])
    short = compress_context(packet, max_summary_chars=90, summarize=summarize)
    assert asked == [(("wrote file 1", "wrote file 2"), 90)]
    assert short.message_summary == "Two files."
    assert short.covered_message_count == 2


@pytest.mark.parametrize("summary", [None, 7, b"bytes", ["a"]])
def test_a_summary_that_is_no_text_is_refused(summary: Any) -> None:
    packet = ContextPacket(messages=["a long enough message"])
    with pytest.raises(SummaryRefused, match=r"^the summary is blank: the summariser gave "):
        compress_context(packet, summarize=lambda texts, limit: summary)


def test_the_failure_of_a_summariser_is_told_with_its_cause() -> None:
    def fails(texts: tuple[str, ...], limit: int) -> str:
        raise ConnectionError("the model is away")

    with pytest.raises(SummaryRefused, match="ConnectionError: the model is away") as caught:
        compress_context(ContextPacket(messages=["a"]), summarize=fails)
    assert isinstance(caught.value.__cause__, ConnectionError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_an_interrupt_of_a_summariser_stays_an_interrupt() -> None:
    def interrupted(texts: tuple[str, ...], limit: int) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compress_context(ContextPacket(messages=["a"]), summarize=interrupted)


def test_a_summary_may_have_exactly_as_many_code_points_as_asked_for() -> None:
    packet = ContextPacket(messages=["🎉" * 200])
    short = compress_context(packet, max_summary_chars=80, summarize=lambda texts, limit: "🎉" * limit)
    assert len(short.message_summary) == 80
    with pytest.raises(SummaryRefused) as caught:
        compress_context(packet, max_summary_chars=80, summarize=lambda texts, limit: "🎉" * 81)
    assert caught.value.evidence == {"length": 81, "limit": 80}


def test_a_compression_of_the_seven_fields_can_be_made_by_hand() -> None:
    packet = ContextPacket(instructions=("a",))
    by_hand = CompressedContext(
        instructions=("a",),
        permission_decisions=(),
        commitments=(),
        message_summary="",
        source_message_count=0,
        critical_fingerprint=critical_fingerprint(packet),
    )
    verify(packet, by_hand)
    assert by_hand.covered_message_count is None
    assert CompressedContext.model_validate_json(by_hand.model_dump_json()) == by_hand


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: ContextPacket(messages="abc"), "ContextPacket.messages was refused: expected a tuple"),
        (lambda: ContextPacket(messages={"a"}), "ContextPacket.messages was refused: expected a tuple"),
        (lambda: ContextPacket(messages=(m for m in "a")), "ContextPacket.messages was refused"),
        (
            lambda: ContextPacket(messages=["a", 1]),
            "ContextPacket.messages[1] was refused: expected text",
        ),
        (
            lambda: ContextPacket(instructions=["\ud800"]),
            "ContextPacket.instructions[0] was refused",
        ),
        (lambda: ContextPacket(rules=()), "ContextPacket.rules was refused: expected no such field"),
        (
            lambda: compress_context(ContextPacket()).model_copy(update={"covered_message_count": 1}),
            "CompressedContext was refused: expected a covered_message_count of at most source_message_count",
        ),
        (
            lambda: compress_context(ContextPacket()).model_copy(update={"critical_fingerprint": "0"}),
            "CompressedContext.critical_fingerprint was refused: expected text of at least 64",
        ),
        (lambda: compress_context(ContextPacket(), max_summary_chars=True), "max_summary_chars must leave"),
        (lambda: compress_context(ContextPacket(), max_summary_chars=100.0), "max_summary_chars must leave"),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_is_refused_in_our_words(make: Callable[[], object], said: str) -> None:
    with pytest.raises(InvalidValue) as caught:
        make()
    assert str(caught.value).startswith(said)
    assert "pydantic" not in str(caught.value)
