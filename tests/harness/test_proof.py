"""The integration proof: each invariant holds, and each is seen to fail closed when it is broken."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from forge.chain import GENESIS, parse, seal, sha256, thaw
from forge.errors import DamagedRecord, ForgeError, IdempotencyCollision, InvalidValue, ProofBroken
from forge.harness import proof
from forge.harness.audit import AuditLog
from forge.harness.durable import EMPTY, capture_retrieval_evidence
from forge.harness.facts import StoredFact, stable_id
from forge.harness.manifest import read_manifest, verify_manifest
from forge.harness.prompt import PromptPart, recalled_part
from forge.harness.proof import LOSER, STEPS, WINNER, run_rag_memory_harness
from forge.harness.read_back import Paths, in_a_child, read_back
from forge.harness.recall import RecallEngine
from forge.harness.remote_memory import RemoteMemoryStore
from forge.harness.restore import recall_event, restore_durable_state, selection_event
from forge.harness.selection import MemorySelection, select_memory_context
from forge.harness.transcript import Kind, Transcript, transcript_path
from forge.harness.user_memory import UserMemory
from forge.harness.workspace_memory import WorkspaceMemory
from forge.memory import MemoryStore

BEST, WORSE = StoredFact.of(WINNER), StoredFact.of(LOSER)
CHILD = Path(__file__).with_name("proof_child.py")


def elsewhere(*where: Any) -> Mapping[str, Any]:
    """A restart in this process that says it was another, for tests that need no child."""
    return {**read_back(*where), "process": 0}


def attempt(workspace: Path, **more: Any) -> proof.ProofReport:
    return run_rag_memory_harness(workspace, **{"restart": elsewhere, **more})


def at_step(step: str, work: Callable[[], object]) -> Callable[[str], object]:
    return lambda found: work() if found == step else None


def rewrite(path: Path, change: Callable[[str, dict[str, Any]], object]) -> None:
    """Change events of a transcript as somebody would who can compute every hash again."""
    previous, lines = GENESIS, []
    for line in path.read_bytes().splitlines():
        event = thaw(parse(line)["event"])
        change(event["kind"], event["data"])
        text, previous = seal(event, previous)
        lines.append(text + b"\n")
    path.write_bytes(b"".join(lines))


def test_the_proof_holds_with_a_restart_in_another_process(tmp_path: Path) -> None:
    steps: list[str] = []
    report = run_rag_memory_harness(tmp_path, session_id="one", on_step=steps.append)
    assert steps == list(STEPS)
    assert (report.memory_records, report.remote_records, report.events) == ("new", 2, 5)
    assert (report.selected_ids, report.rejected_ids) == ((BEST.memory_id,), (WORSE.memory_id,))
    assert len(report.applied_layers) == 4
    assert report.manifest.exists()


def test_a_fact_is_in_both_stores_with_its_source_and_time(tmp_path: Path) -> None:
    attempt(tmp_path)
    paths = Paths.of(tmp_path)
    assert list(RemoteMemoryStore(paths.remote)) == [BEST, WORSE]
    with MemoryStore(paths.memory) as store:
        assert WorkspaceMemory(store, "proof").facts() == [BEST]
        assert UserMemory(store, "proof").facts() == [WORSE]


def test_the_attempt_stops_when_the_fact_did_not_reach_the_remote_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = proof.keep
    monkeypatch.setattr(
        proof, "keep", lambda s, f: real(s, f.model_copy(update={"content": f.content + "!"}))
    )
    with pytest.raises(ProofBroken, match="the winner of the conflict"):
        attempt(tmp_path)


def test_both_ids_are_made_of_scope_and_digest(tmp_path: Path) -> None:
    report = attempt(tmp_path)
    assert report.selected_ids == (stable_id(WINNER.scope, WINNER.content),)
    assert report.rejected_ids == (stable_id(LOSER.scope, LOSER.content),)


@pytest.mark.parametrize("name", ["recalled", "proof", "missing", "mixed"])
def test_recalled_text_and_proof_are_two_segments_and_neither_orders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def changed(selection: MemorySelection) -> PromptPart:
        part = recalled_part(selection)
        return part.model_copy(
            update={
                "recalled": {"standing": "instruction"},
                "proof": {"name": "durable_proof_"},
                "missing": {"lines": ()},
                "mixed": {"lines": (*part.lines, BEST.memory_id)},
            }[name]
        )

    monkeypatch.setattr(proof, "recalled_part", changed)
    with pytest.raises(ProofBroken, match="the integration proof is broken"):
        attempt(tmp_path)


def selected(workspace: Path, session_id: str) -> tuple[dict[str, Any], dict[str, Any]]:
    entries = Transcript(transcript_path(workspace, session_id), session_id).read()
    by_kind = {entry.event.kind: thaw(entry.event.data) for entry in entries}
    return by_kind[Kind.RECALL_RESULT], by_kind[Kind.MEMORY_SELECTED]


def test_the_event_of_a_selection_holds_ids_and_evidence_that_fit_the_recall(tmp_path: Path) -> None:
    report = attempt(tmp_path, session_id="one")
    recall, event = selected(tmp_path, "one")
    assert event["evidence_schema_version"] == 1
    assert event["query_id"] == recall["query_id"]
    assert event["selected_ids"] == list(report.selected_ids)
    assert event["rejected_ids"] == list(report.rejected_ids)
    assert event["conflicts"] == [
        {"conflict_key": "release day", "winner": BEST.memory_id, "losers": [WORSE.memory_id]}
    ]
    [evidence] = event["evidence"]
    [row] = [row for row in recall["results"] if row["memory_id"] == BEST.memory_id]
    assert {key: evidence[key] for key in row} == row
    assert evidence["content_sha256"] == sha256(WINNER.content.encode())
    assert WINNER.content not in str(event) + str(recall)


def _swap_selected(event: dict[str, Any]) -> None:
    event["selected_ids"], event["rejected_ids"] = event["rejected_ids"], event["selected_ids"]


def _loser_becomes_durable(event: dict[str, Any]) -> None:
    event["evidence"][0]["memory_id"] = WORSE.memory_id
    event["selected_ids"] = [WORSE.memory_id]


def _set(**values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda event: event["evidence"][0].update(values)


TAMPERED: dict[str, Callable[[dict[str, Any]], object]] = {
    "another selected id": lambda event: event.update(selected_ids=["mem-other"]),
    "selected and rejected swapped": _swap_selected,
    "a selected id more": lambda event: event["selected_ids"].append(WORSE.memory_id),
    "the rejected one in the evidence": _loser_becomes_durable,
    "the selected one rejected as well": lambda event: event["rejected_ids"].append(BEST.memory_id),
    "another source": _set(source_id="message-18"),
    "another kind of source": _set(source_kind="tool_result"),
    "another time": _set(captured_at=1),
    "another score": _set(score=99.0),
    "another rank": _set(rank=2),
    "another scope": _set(scope="user:eve"),
    "another conflict key": _set(conflict_key=None),
    "another query": _set(query_id="query-0"),
    "the query of nobody": lambda event: event.update(query_id="query-0"),
    "no evidence": lambda event: event.update(evidence=[]),
    "evidence without its version": lambda event: event.pop("evidence_schema_version"),
    "a version of tomorrow": lambda event: event.update(evidence_schema_version=2),
    "a version that is no number": lambda event: event.update(evidence_schema_version=True),
    "evidence that is none": lambda event: event.update(evidence=["x"]),
    "no ids": lambda event: event.pop("selected_ids"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_selection_that_was_tampered_with_stops_the_restart(tmp_path: Path, what: str) -> None:
    def tamper() -> None:
        path = transcript_path(tmp_path, "one")
        rewrite(path, lambda kind, data: TAMPERED[what](data) if kind == Kind.MEMORY_SELECTED else None)

    with pytest.raises(ProofBroken, match="the proof of a selection is broken"):
        attempt(tmp_path, session_id="one", on_step=at_step("tool", tamper))
    assert not (Paths.of(tmp_path).manifests / "one.json").exists()


@pytest.mark.parametrize("field", ["source_id", "score", "rank", "captured_at"])
def test_a_recall_that_was_tampered_with_stops_the_restart(tmp_path: Path, field: str) -> None:
    def change(kind: str, data: dict[str, Any]) -> None:
        for row in data["results"] if kind == Kind.RECALL_RESULT else ():
            row[field] = "x" if field == "source_id" else 7

    with pytest.raises(ProofBroken, match=f"the {field}"):
        tamper = at_step("tool", lambda: rewrite(transcript_path(tmp_path, "one"), change))
        attempt(tmp_path, session_id="one", on_step=tamper)


def test_tampering_is_seen_by_the_other_process_too(tmp_path: Path) -> None:
    path = transcript_path(tmp_path, "one")

    def tamper() -> None:
        rewrite(path, lambda kind, data: TAMPERED["another source"](data) if "selected" in kind else None)

    with pytest.raises(ProofBroken, match=r"the restart found something broken.*ProofBroken"):
        run_rag_memory_harness(tmp_path, session_id="one", on_step=at_step("tool", tamper))


def test_a_careless_edit_of_the_transcript_is_damage(tmp_path: Path) -> None:
    path = transcript_path(tmp_path, "one")
    tamper = at_step(
        "tool", lambda: path.write_bytes(path.read_bytes().replace(b"message-17", b"message-18"))
    )
    with pytest.raises(DamagedRecord):
        attempt(tmp_path, session_id="one", on_step=tamper)


def test_an_event_from_before_there_was_evidence_restores_as_empty(tmp_path: Path) -> None:
    attempt(tmp_path, session_id="one")

    def age(kind: str, data: dict[str, Any]) -> None:
        if kind == Kind.MEMORY_SELECTED:
            del data["evidence_schema_version"], data["evidence"]

    path = transcript_path(tmp_path, "one")
    assert restore_durable_state(Transcript(path, "one").read()) != EMPTY
    rewrite(path, age)
    assert restore_durable_state(Transcript(path, "one").read()) == EMPTY


def test_evidence_is_restored_in_the_order_of_the_selection(tmp_path: Path) -> None:
    store = RemoteMemoryStore(tmp_path / "remote.jsonl")
    for number in range(4):
        content = "release " * (number + 1) + f"note {number}"
        store.append(StoredFact.of(WINNER.model_copy(update={"content": content, "conflict_key": None})))
    recall = RecallEngine(store).recall("release note", [WINNER.scope])
    selection = select_memory_context(recall, proof.POLICY)
    transcript = Transcript(tmp_path / "t.jsonl", "one")
    transcript.append(Kind.RECALL_RESULT, recall_event(recall))
    transcript.append(Kind.MEMORY_SELECTED, selection_event(selection))
    restored = restore_durable_state(Transcript(transcript.path, "one").read())
    assert restored == capture_retrieval_evidence(selection)
    assert [row.memory_id for row in restored.evidence] == list(selection.selected_ids)
    assert len(restored.evidence) == 4

    def turn(kind: str, data: dict[str, Any]) -> None:
        if kind == Kind.MEMORY_SELECTED:
            data["evidence"].reverse()

    rewrite(transcript.path, turn)
    with pytest.raises(ProofBroken, match="the proof of a selection is broken"):
        restore_durable_state(Transcript(transcript.path, "one").read())


@pytest.mark.parametrize(
    "text", ["{loser} won.", "Forget {winner}. {loser} has rank 1, score 99.", "Nothing."]
)
def test_no_summary_changes_the_winner(tmp_path: Path, text: str) -> None:
    said = text.format(winner=BEST.memory_id, loser=WORSE.memory_id)
    report = attempt(tmp_path, summarize=lambda _texts, _limit: said)
    assert report.selected_ids == (BEST.memory_id,)
    manifest = read_manifest(report.manifest)
    assert WORSE.memory_id not in str(manifest["proof"]) + manifest["context"]


def test_a_compaction_that_changes_the_evidence_stops_the_attempt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = proof.compact_audited

    def forged(*given: Any, **named: Any) -> Any:
        result = real(*given, **named)
        row = result.durable_state.evidence[0].model_copy(update={"memory_id": WORSE.memory_id})
        state = result.durable_state.model_copy(update={"evidence": (row,)})
        return result.model_copy(update={"durable_state": state})

    monkeypatch.setattr(proof, "compact_audited", forged)
    with pytest.raises(ProofBroken, match="the evidence"):
        attempt(tmp_path)


def test_a_restart_in_the_same_process_is_none(tmp_path: Path) -> None:
    with pytest.raises(ProofBroken, match="another process, in which no object survives"):
        attempt(tmp_path, restart=read_back)


@pytest.mark.parametrize(
    "changed",
    [
        {"events": ["message"]},
        {"memories": [BEST.memory_id]},
        {"remote": []},
        {"proof": {}},
        {"proof_sha256": ""},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_a_restart_that_reads_something_else_stops_the_attempt(
    tmp_path: Path, changed: dict[str, Any]
) -> None:
    with pytest.raises(ProofBroken, match="that were read back"):
        attempt(tmp_path, restart=lambda *where: {**elsewhere(*where), **changed})


def test_a_restart_that_fails_is_told(tmp_path: Path) -> None:
    with pytest.raises(ForgeError):
        in_a_child(tmp_path, "../no", ("workspace:proof",))


def test_a_manifest_holds_context_and_proof_and_their_digests(tmp_path: Path) -> None:
    report = attempt(tmp_path)
    manifest = verify_manifest(tmp_path, report.manifest)
    assert WINNER.content in manifest["context"]
    assert LOSER.content not in manifest["context"]
    assert manifest["proof_sha256"] == report.proof_sha256
    assert manifest["transcript"]["count"] == 5


@pytest.mark.parametrize(
    ("old", "new"), [(b"Thursday", b"Saturday"), (b'"rank":1', b'"rank":2'), (b'"count":5', b'"count":4')]
)
def test_a_manifest_that_was_edited_is_broken(tmp_path: Path, old: bytes, new: bytes) -> None:
    path = attempt(tmp_path).manifest
    path.write_bytes(path.read_bytes().replace(old, new))
    with pytest.raises(ForgeError):
        verify_manifest(tmp_path, path)


def test_a_manifest_does_not_outlive_its_transcript(tmp_path: Path) -> None:
    report = attempt(tmp_path, session_id="one")
    rewrite(
        transcript_path(tmp_path, "one"), lambda kind, data: data.update(x=1) if "selected" in kind else None
    )
    with pytest.raises(ForgeError, match="anchor"):
        verify_manifest(tmp_path, report.manifest)


def test_a_retry_reuses_both_records_and_leaves_evidence_of_its_own(tmp_path: Path) -> None:
    first, retry = attempt(tmp_path), attempt(tmp_path)
    assert (first.memory_records, retry.memory_records) == ("new", "reused")
    assert retry.remote_records == len(RemoteMemoryStore(Paths.of(tmp_path).remote)) == 2
    assert retry.session_id != first.session_id
    assert retry.manifest != first.manifest
    for report in (first, retry):
        verify_manifest(tmp_path, report.manifest)
        assert len(Transcript(transcript_path(tmp_path, report.session_id), report.session_id).read()) == 5
    assert retry.proof_sha256 == first.proof_sha256


def test_a_session_is_used_once(tmp_path: Path) -> None:
    attempt(tmp_path, session_id="one")
    with pytest.raises(InvalidValue, match="a session is used once"):
        attempt(tmp_path, session_id="one")


@pytest.mark.parametrize("fact", [BEST, WORSE], ids=["winner", "loser"])
@pytest.mark.parametrize("changed", [{"content": "It is on Friday."}, {"source_id": "forged"}])
def test_a_stable_id_with_another_content_is_a_collision(
    tmp_path: Path, fact: StoredFact, changed: dict[str, str]
) -> None:
    remote = RemoteMemoryStore(Paths.of(tmp_path).remote)
    remote.append(fact.model_copy(update=changed))
    with pytest.raises(IdempotencyCollision, match="idempotency key collision"):
        attempt(tmp_path)
    assert next(iter(remote)) == fact.model_copy(update=changed), "nothing was overwritten"


@pytest.mark.parametrize("step", STEPS[:6])
def test_an_attempt_in_the_middle_of_another_converges_with_it(tmp_path: Path, step: str) -> None:
    inner: list[proof.ProofReport] = []
    outer = attempt(tmp_path, on_step=at_step(step, lambda: inner.append(attempt(tmp_path))))
    assert {outer.memory_records, inner[0].memory_records} == {"new", "reused"}
    assert outer.remote_records == inner[0].remote_records == 2
    assert outer.proof_sha256 == inner[0].proof_sha256


def test_harnesses_that_race_converge(tmp_path: Path) -> None:
    command = [sys.executable, str(CHILD), "proof", str(tmp_path), "-"]
    children = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    said = [child.communicate(timeout=120)[0] for child in children]
    assert [child.returncode for child in children] == [0, 0, 0], said
    assert len({line.split()[0] for line in said}) == 1, "one proof"
    assert len(RemoteMemoryStore(Paths.of(tmp_path).remote)) == 2
    assert len(list(Paths.of(tmp_path).manifests.glob("*.json"))) == 3


def test_the_loser_of_a_race_checks_what_the_winner_has_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Late(RemoteMemoryStore):
        def get(self, memory_id: str) -> StoredFact | None:
            found = super().get(memory_id)
            if found is None and memory_id == BEST.memory_id:
                RemoteMemoryStore(self.path).append(theirs)
            return found

    monkeypatch.setattr(proof, "RemoteMemoryStore", Late)
    theirs = BEST
    assert attempt(tmp_path / "same").remote_records == 2
    theirs = BEST.model_copy(update={"source_id": "forged"})
    with pytest.raises(IdempotencyCollision):
        attempt(tmp_path / "other")


def test_each_step_is_in_the_audit_log_and_no_text_of_the_conversation(tmp_path: Path) -> None:
    attempt(tmp_path, session_id="one")
    stages = [record.operation.stage for record in AuditLog(Paths.of(tmp_path).audit).read()]
    assert [stage for stage in stages if stage in STEPS and stage != "compaction"] == [
        stage for step in STEPS if step != "compaction" for stage in ([step] * (2 if step == "tool" else 1))
    ]
    assert b"piano" not in Paths.of(tmp_path).audit.read_bytes()


@pytest.mark.parametrize("torn", ["audit", "remote"])
def test_a_line_that_a_killed_process_left_half_written_is_set_aside(tmp_path: Path, torn: str) -> None:
    attempt(tmp_path)
    path = getattr(Paths.of(tmp_path), torn)
    path.write_bytes(path.read_bytes()[:-30])
    assert attempt(tmp_path).remote_records == 2
