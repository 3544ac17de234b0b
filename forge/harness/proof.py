"""The integration proof: one fact goes from memory to a prompt, through a restart and a retry, unchanged.

`run_rag_memory_harness` runs the real mechanisms once, in their order, and checks after each that it kept
what it was given: recall ranks, selection chooses, capture freezes, compaction shortens, the harness calls a
tool, and another process reads everything back. Each attempt leaves a session, a transcript and a manifest
of its own; the facts are written once, however often it is run and by however many at a time.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ..context import Summarizer
from ..errors import InvalidValue
from ..log import ChainLog
from ..memory import MemoryStore
from .compaction import CompactionResult, compact_audited
from .durable import DurableContextState, capture_retrieval_evidence
from .facts import Kept, StoredFact, keep
from .harness import Harness
from .manifest import verify_manifest, write_manifest
from .messages import ToolUseBlock, assistant, user
from .mock import MockProvider
from .observe import Watch
from .prompt import Prompt, assemble_prompt, evidence_rule, recalled_part
from .proof_checks import (
    require_read_back,
    require_same_proof,
    require_two_segments,
    require_winner,
)
from .proof_scene import LIMIT, LOSER, POLICY, QUERY, WINNER, adversary, small_talk
from .read_back import Paths, in_a_child
from .recall import Recall, RecallEngine
from .remote_memory import RemoteMemoryStore
from .restore import recall_event, restore_durable_state, selection_event
from .selection import MemorySelection, select_memory_context
from .transcript import Kind, transcript_path
from .user_memory import UserMemory
from .workspace_memory import WorkspaceMemory

STEPS = (
    *("session", "memory", "recall", "select", "capture"),
    *("compaction", "context", "tool", "restart", "manifest"),
)
"""The steps of an attempt, in their order; each is on record before the next begins."""

ReadBack = Callable[[str | os.PathLike[str], str, tuple[str, ...]], Mapping[str, Any]]


class ProofReport(NamedTuple):
    """What an attempt came to. `manifest` is the path of the file that says it in full."""

    session_id: str
    memory_records: str
    remote_records: int
    events: int
    selected_ids: tuple[str, ...]
    rejected_ids: tuple[str, ...]
    applied_layers: tuple[str, ...]
    proof_sha256: str
    manifest: Path


def run_rag_memory_harness(
    workspace: str | os.PathLike[str],
    *,
    session_id: str | None = None,
    on_step: Callable[[str], object] = lambda _step: None,
    restart: ReadBack = in_a_child,
    summarize: Summarizer | None = None,
) -> ProofReport:
    """Run one attempt in a workspace and return its report; `ProofBroken` where an invariant does not hold.

    A second attempt reuses the facts of the first and has a session of its own, `session_id` or a new one.
    `on_step` is called with each of `STEPS` when it is on record. `restart` reads everything back, by default
    in another process. `summarize` writes the summaries, by default one that praises the loser.
    """
    session_id = session_id or f"proof-{secrets.token_hex(6)}"
    if transcript_path(workspace, session_id).exists():
        raise InvalidValue("a session is used once", f"{session_id} exists.", "Give another id, or none.")
    mend(workspace)
    attempt = _Attempt(Path(workspace), session_id, on_step)
    try:
        return attempt.run(restart, summarize or adversary)
    finally:
        attempt.harness.close()


def mend(workspace: str | os.PathLike[str]) -> list[Path]:
    """Set aside what a killed process left half written in the logs that sessions share; where it is now."""
    paths = Paths.of(workspace)
    repairs = [ChainLog(path).repair() for path in (paths.audit, paths.remote)]
    return [repair.path for repair in repairs if repair is not None]


class _Attempt:
    def __init__(self, workspace: Path, session_id: str, on_step: Callable[[str], object]) -> None:
        self.paths = Paths.of(workspace)
        self.harness = Harness(workspace, session_id, MockProvider([]))
        assert self.harness.transcript is not None
        self.workspace, self.session_id = self.harness.workspace, session_id
        self.transcript = self.harness.transcript
        self.on_step = on_step

    def run(self, restart: ReadBack, summarize: Summarizer) -> ProofReport:
        with self.step("session"):
            pass  # the session was opened, and is on record, when the harness was made
        with self.step("memory") as watch:
            kept, remote = self.remember()
            watch.facts = {"reused": [one.reused for one in kept]}
        with self.step("recall"):
            recall = self.recall(remote)
        with self.step("select"):
            selection = select_memory_context(recall, POLICY)
            require_winner(selection, StoredFact.of(WINNER), StoredFact.of(LOSER))
            self.transcript.append(Kind.MEMORY_SELECTED, selection_event(selection))
        with self.step("capture"):
            state = capture_retrieval_evidence(selection)
            require_same_proof(state, restore_durable_state(self.transcript.read()))
        with self.step("compaction"):
            compacted = self.compact(selection, state, summarize)
            require_same_proof(state, compacted.durable_state)
        with self.step("context"):
            prompt = self.assemble(selection, compacted.durable_state)
        with self.step("tool"):
            self.call_tool()
        with self.step("restart"):
            ids = tuple(sorted(one.fact.memory_id for one in kept[:2]))
            found = restart(self.workspace, self.session_id, (WINNER.scope, LOSER.scope))
            require_read_back(found, state, ids)
        with self.step("manifest"):
            path = self.manifest(prompt, state, kept, len(found["remote"]))
        return ProofReport(
            session_id=self.session_id,
            memory_records="reused" if all(one.reused for one in kept) else "new",
            remote_records=len(found["remote"]),
            events=len(found["events"]),
            selected_ids=selection.selected_ids,
            rejected_ids=selection.rejected_ids,
            applied_layers=compacted.applied_layers,
            proof_sha256=state.digest,
            manifest=path,
        )

    @contextmanager
    def step(self, name: str) -> Iterator[Watch]:
        with self.harness.observer.operation(name) as watch:
            yield watch
        self.harness.audit.sync()
        self.on_step(name)

    def remember(self) -> tuple[list[Kept], RemoteMemoryStore]:
        """Write both facts to the memory of their scope and to the remote one, or find them there."""
        remote = RemoteMemoryStore(self.paths.remote)
        with MemoryStore(self.paths.memory) as store:
            here = WorkspaceMemory(store, "proof").keep(WINNER)
            usual = UserMemory(store, "proof").keep(LOSER)
        return [here, usual, keep(remote, WINNER), keep(remote, LOSER)], remote

    def recall(self, remote: RemoteMemoryStore) -> Recall:
        engine = RecallEngine(remote)
        recall = engine.recall(QUERY, POLICY.scopes)
        engine.close()
        self.transcript.append(Kind.RECALL_RESULT, recall_event(recall))
        return recall

    def compact(
        self, selection: MemorySelection, state: DurableContextState, summarize: Summarizer
    ) -> CompactionResult:
        recalled = user("\n".join(chosen.content for chosen in selection.selected))
        messages = [recalled, *small_talk(), user(QUERY)]
        return compact_audited(self.harness.observer, messages, state, limit=LIMIT, summarize=summarize)

    def assemble(self, selection: MemorySelection, state: DurableContextState) -> Prompt:
        prompt = assemble_prompt([evidence_rule(), recalled_part(selection), *state.parts()])
        require_two_segments(prompt, selection, state)
        return prompt

    def call_tool(self) -> None:
        call = ToolUseBlock(id=f"{self.session_id}-call-1", name="list_files")
        self.transcript.append_message(assistant(call))
        result = self.harness.act(call)
        if result.is_error:
            raise InvalidValue("the tool of the proof failed", result.content)

    def manifest(self, prompt: Prompt, state: DurableContextState, kept: list[Kept], remote: int) -> Path:
        anchor = self.transcript.anchor()
        path = self.paths.manifests / f"{self.session_id}.json"
        facts = {
            "session_id": self.session_id,
            "query": QUERY,
            "context": prompt.text,
            "proof": state.to_json(),
            "memory_ids": [one.fact.memory_id for one in kept[:2]],
            "memory_reused": [one.reused for one in kept],
            "remote_records": remote,
            "transcript": {"count": anchor.count, "head": anchor.head},
        }
        write_manifest(path, facts)
        verify_manifest(self.workspace, path)
        return path
