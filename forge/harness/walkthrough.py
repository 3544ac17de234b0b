"""The demonstration: two turns of a loop, one fact through every mechanism, a restart and a retry. Offline.

Its one tool reads. Killed at any step and run again it comes to the same end: what was written is found, and
an attempt that did not come to its end leaves a transcript and no manifest.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

from ..errors import ProofBroken
from .harness import Harness
from .messages import Message
from .mock import MockProvider, contradicting
from .proof import STEPS, ProofReport, mend, run_rag_memory_harness

WALK = ("loop", *(f"first {step}" for step in STEPS), *(f"retry {step}" for step in STEPS))
"""The steps of the walkthrough, each on record before the next begins."""

OnStep = Callable[[str], object]


def walkthrough(workspace: str | os.PathLike[str], *, on_step: OnStep = lambda _step: None) -> Iterator[str]:
    """The lines of the demonstration, as they come about; what does not hold raises `ProofBroken`."""
    workspace = Path(workspace)
    workspace.mkdir(parents=True, exist_ok=True)
    mend(workspace)
    kinds = _loop(workspace)
    on_step("loop")
    yield " → ".join(kinds)
    yield "  the stop reasons say the opposite: the blocks decide"
    first = run_rag_memory_harness(workspace, on_step=lambda step: on_step(f"first {step}"))
    yield from _told(first)
    retry = run_rag_memory_harness(workspace, on_step=lambda step: on_step(f"retry {step}"))
    _require_retry(first, retry)
    yield f"retry: OK, memory_records={retry.memory_records}, remote_records={retry.remote_records}"
    yield f"  session {retry.session_id} has a transcript and a manifest of its own"
    yield "rag memory harness: OK"
    yield f"  manifest: {retry.manifest}"


def _loop(workspace: Path) -> list[str]:
    provider = MockProvider(contradicting("list_files", final="These are the files."))
    harness = Harness(workspace, f"walk-{secrets.token_hex(6)}", provider)
    try:
        harness.send("Which files are there?")
    finally:
        harness.close()
    kinds = [_kind(message) for message in harness.messages[1:]]
    if kinds != ["tool_use", "tool_result", "final text"]:
        raise ProofBroken("the loop took another way", f"{' → '.join(kinds)}.", "Look at its transcript.")
    return kinds


def _kind(message: Message) -> str:
    if message.tool_uses:
        return "tool_use"
    return "tool_result" if message.tool_results else "final text"


def _told(report: ProofReport) -> Iterator[str]:
    yield "query → recall → select → context"
    yield (
        f"  selected {len(report.selected_ids)}, rejected {len(report.rejected_ids)}: "
        "the workspace's fact, and the user's default that it wins over"
    )
    yield "select → durable proof → compact"
    layers, memories = report.applied_layers, report.selected_ids + report.rejected_ids
    yield f"  {len(layers)} layers: {', '.join(layers)}; proof {report.proof_sha256[:12]}…"
    yield "tool → transcript/memory → restart"
    yield f"  another process read back {report.events} events, {len(memories)} memories and the proof"
    yield f"  memory_records={report.memory_records}, remote_records={report.remote_records}"


def _require_retry(first: ProofReport, retry: ProofReport) -> None:
    same = first.selected_ids, first.rejected_ids, first.proof_sha256, 2, "reused"
    found = (
        retry.selected_ids, retry.rejected_ids, retry.proof_sha256, retry.remote_records, retry.memory_records
    )  # fmt: skip
    own = retry.session_id != first.session_id and retry.manifest != first.manifest
    if found != same or not own or not first.manifest.exists():
        raise ProofBroken(
            "the retry is not the same as the first attempt",
            f"expected {same}, found {found}.",
            "Compare the two manifests.",
            expected=same,
            found=found,
        )
