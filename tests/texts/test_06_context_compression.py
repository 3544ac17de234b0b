"""Stage 6: the whole text of every error, and its evidence."""

from __future__ import annotations

import pytest

from forge.context import compression, packet
from forge.errors import FidelityLost, SummaryRefused

SOURCE = packet.ContextPacket(
    instructions=("Review the change before writing.", "Never add a dependency."),
    permission_decisions=("write_access=revoked",),
    messages=("user: Please add a search page.", "assistant: It lists all articles."),
)
AGAIN = "Nothing was compressed. Ask again, or leave summarize out."


def refusal(kind, act, *values, **named):
    with pytest.raises(kind) as caught:
        act(*values, **named)
    return str(caught.value), caught.value.evidence


def test_another_fingerprint_is_told_with_both_beginnings():
    short = compression.compress_context(SOURCE).model_copy(update={"critical_fingerprint": "0" * 64})
    own = packet.critical_fingerprint(SOURCE)
    text, evidence = refusal(FidelityLost, packet.verify_critical_fidelity, SOURCE, short)
    assert text == (
        f"critical context fingerprint mismatch: the source has {own[:12]}…, the compression says "
        "000000000000…. Do not use it. Compress the source again."
    )
    assert evidence == {"field": "critical_fingerprint", "expected": own, "found": "0" * 64}


def test_a_changed_text_is_told_with_its_place():
    short = compression.compress_context(SOURCE).model_copy(update={"instructions": SOURCE.instructions[:1]})
    text, evidence = refusal(FidelityLost, packet.verify_critical_fidelity, SOURCE, short)
    assert text == (
        "compression changed instructions: text 2 was 'Never add a dependency.', found nothing. "
        "Do not use it. Compress the source again."
    )
    assert evidence == {
        "field": "instructions",
        "index": 1,
        "expected": SOURCE.instructions,
        "found": SOURCE.instructions[:1],
    }


def test_what_a_packet_has_lost_is_told_with_its_place():
    previous = compression.compress_context(SOURCE)
    for field, name, index, text in (
        ("instructions", "instructions", 1, "Never add a dependency."),
        ("permission_decisions", "permission decisions", 0, "write_access=revoked"),
    ):
        left = tuple(each for each in getattr(SOURCE, field) if each != text)
        lacking = SOURCE.model_copy(update={field: left})
        said, evidence = refusal(FidelityLost, compression.require_still_protected, previous, lacking)
        assert said == (
            f"compression changed {name}: {text!r} was protected by the previous compression and is not in "
            "the packet. Carry it over word for word."
        )
        assert evidence == {"field": field, "index": index, "expected": text, "found": None}


@pytest.mark.parametrize(
    ("given", "facts", "evidence"),
    [
        (" \n ", r"the summary is blank: the summariser gave ' \n '.", {}),
        (None, "the summary is blank: the summariser gave None.", {}),
        (
            "x" * 51,
            "the summary is too long: it has 51 code points, at most 50 were asked for.",
            {"length": 51, "limit": 50},
        ),
    ],
)
def test_a_summary_that_cannot_be_used_is_told_with_the_way_out(given, facts, evidence):
    found = refusal(SummaryRefused, compression.ask, lambda texts, limit: given, SOURCE.messages, 50)
    assert found == (f"{facts} {AGAIN}", evidence)


def test_a_summary_that_saves_nothing_is_told_with_both_lengths():
    found = refusal(
        SummaryRefused, compression.ask, lambda texts, limit: "\n".join(texts), SOURCE.messages, 99
    )
    facts = "the summary made nothing smaller: it has 65 code points, what it replaces has 65."
    assert found == (f"{facts} {AGAIN}", {"length": 65, "limit": 64})


def test_the_failure_of_a_summariser_is_told_by_its_kind_and_its_words():
    def fails(texts, limit):
        raise ConnectionError("the model is away")

    found = refusal(SummaryRefused, compression.ask, fails, SOURCE.messages, 99)
    assert found == (f"the summariser failed: ConnectionError: the model is away. {AGAIN}", {})
