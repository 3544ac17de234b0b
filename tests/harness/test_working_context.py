"""Memory, context and compaction in a session: what one session learns, the next is shown with its proof."""

from __future__ import annotations

from pathlib import Path

import pytest

from forge.chain import GENESIS, parse, seal, thaw
from forge.errors import MessageViewLimitExceeded, ProofBroken
from forge.harness.audit import AuditLog
from forge.harness.durable import delivered
from forge.harness.harness import Harness
from forge.harness.mock import MockProvider, echo
from forge.harness.remote_memory import RemoteMemoryStore
from forge.harness.sandbox import OWN
from forge.harness.streaming import Reply, Request
from forge.harness.working_context import WorkingContext


class Seen(list[Request]):
    """A script that echoes and keeps every request."""

    def __call__(self, request: Request, number: int) -> Reply:
        self.append(request)
        return echo(request, number)


def session(workspace: Path, session_id: str, *said: str) -> tuple[Harness, Seen]:
    seen = Seen()
    harness = Harness(workspace, session_id, MockProvider(seen))
    for text in said:
        harness.send(text)
    return harness, seen


def working(harness: Harness) -> WorkingContext:
    assert isinstance(harness.working, WorkingContext)
    return harness.working


def test_what_a_session_was_told_is_recalled_by_the_next_and_quoted_with_its_proof(tmp_path: Path) -> None:
    first, _ = session(tmp_path, "one", "Remember that the release day is Thursday.")
    first.close()
    [fact] = RemoteMemoryStore(tmp_path / OWN / "remote.jsonl")
    second, [request] = session(tmp_path, "two", "Which day is the release?")
    assert '<evidence name="recalled_memory">\n"the release day is Thursday."' in request.system
    assert '<evidence name="durable_proof">' in request.system
    [evidence] = working(second).durable_state.evidence
    assert (evidence.memory_id, evidence.source_id) == (fact.memory_id, "one")
    second.close()
    third, _ = session(tmp_path, "two")
    assert working(third).durable_state.evidence == (evidence,), "gone on with, from the transcript alone"
    third.close()


def test_a_fact_that_is_told_in_two_sessions_stands_once(tmp_path: Path) -> None:
    for name in ("one", "two"):
        harness, _ = session(tmp_path, name, "Remember that the release day is Thursday.")
        harness.close()
    assert [fact.source_id for fact in RemoteMemoryStore(tmp_path / OWN / "remote.jsonl")] == ["one"]


def test_a_session_whose_proof_was_tampered_with_is_not_gone_on_with(tmp_path: Path) -> None:
    first, _ = session(tmp_path, "one", "Remember that the release day is Thursday.")
    first.close()
    second, _ = session(tmp_path, "two", "Which day is the release?")
    second.close()
    assert second.transcript is not None
    previous, lines = GENESIS, []
    for line in second.transcript.path.read_bytes().splitlines():
        event = thaw(parse(line)["event"])
        for row in event["data"].get("evidence", ()):
            row["source_id"] = "somebody else"
        text, previous = seal(event, previous)
        lines.append(text + b"\n")
    second.transcript.path.write_bytes(b"".join(lines))
    with pytest.raises(ProofBroken, match="the proof of a selection is broken"):
        session(tmp_path, "two")


def test_what_binds_stays_before_the_model_when_its_message_is_long_gone(tmp_path: Path) -> None:
    talk = [f"Turn {turn}: " + "the ferry leaves at nine, " * 8 for turn in range(200)]
    harness, seen = session(tmp_path, "one", "You must never push to main.", *talk)
    assert harness.messages[0] not in seen[-1].messages
    assert "You must never push to main." in seen[-1].system
    assert len(seen[-1].messages) < len(harness.messages) == 402
    harness.close()


def test_a_delivery_is_not_forgotten_by_a_compaction(tmp_path: Path) -> None:
    talk = [f"Turn {turn}: " + "the ferry leaves at nine, " * 100 for turn in range(40)]
    harness, seen = session(tmp_path, "one")
    working(harness).protect(delivered("report.md", "ab" * 32))
    for text in talk:
        harness.send(text)
    assert "delivered report.md" in seen[-1].system
    harness.close()


def test_no_model_is_asked_about_a_view_that_is_too_long_and_it_is_on_record_without_its_text(
    tmp_path: Path,
) -> None:
    harness, seen = session(tmp_path, "one")
    with pytest.raises(MessageViewLimitExceeded):
        harness.send("CANARY " * 60_000)
    assert seen == []
    harness.audit.sync()
    path = tmp_path / OWN / "audit.jsonl"
    [operation] = [r.operation for r in AuditLog(path).read() if r.operation.stage == "compaction"]
    assert operation.error_class == "MessageViewLimitExceeded"
    assert {"tokens_before", "tokens_after", "limit", "applied_layers"} <= set(operation.facts)
    assert b"CANARY" not in path.read_bytes()


def test_what_is_protected_counts_too_and_no_model_is_asked_when_it_is_too_much(tmp_path: Path) -> None:
    harness, seen = session(tmp_path, "one", "Hello.")
    for number in range(1_000):
        working(harness).protect(delivered(f"part-{number}.md", "ab" * 32))
    with pytest.raises(MessageViewLimitExceeded):
        harness.send("And now?")
    assert len(seen) == 1
