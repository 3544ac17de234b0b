from __future__ import annotations

import importlib
import inspect
import subprocess
import sys

import pytest

NAMES = {
    "forge": (
        "MemoryRecord MemoryScope MemoryStore CompressedContext ContextPacket compress_context "
        "verify_critical_fidelity DerivedSummaryCache EventJournal delete_memory_everywhere"
    ),
    "forge.state": (
        "EventKind RunEvent RunState RunStatus apply_event reduce_events RunRecord Session start_run "
        "finish_run CheckpointEnvelope checkpoint_checksum save_checkpoint load_checkpoint "
        "RecoveryMismatch recover_state verify_recovery_equivalent"
    ),
    "forge.memory": "MemoryRecord MemoryScope MemoryStore",
    "forge.context": (
        "ContextPacket CompressedContext critical_fingerprint compress_context verify_critical_fidelity"
    ),
    "forge.versions": (
        "ContractError ImportDocument Repository RevokeDocument RevokeMemory WriteMemory active_docs "
        "canonical club_repository reduce_event replay_prefix sha temporal_view"
    ),
    "forge.longrun": (
        "FEATURES Ledger Night commit_state_temp decide load_state rebuild_context run_night save_state "
        "summarize_state write_state_temp"
    ),
    "forge.replay": "EventJournal DerivedSummaryCache delete_memory_everywhere",
}

SIGNATURES = {
    "forge.state:apply_event": "state, event",
    "forge.state:reduce_events": "events, initial",
    "forge.state:start_run": "session, run_id",
    "forge.state:finish_run": "session, run_id, status",
    "forge.state:save_checkpoint": "path, state",
    "forge.state:load_checkpoint": "path",
    "forge.state:recover_state": "checkpoint_path, tail_events",
    "forge.state:verify_recovery_equivalent": "checkpoint_path, tail_events, full_history",
    "forge.memory:MemoryStore.put": "self, record",
    "forge.memory:MemoryStore.query": "self, scope, subject_id",
    "forge.memory:MemoryStore.delete": "self, memory_id",
    "forge.memory:MemoryStore.purge_expired": "self",
    "forge.context:compress_context": "packet",
    "forge.context:critical_fingerprint": "packet",
    "forge.context:verify_critical_fidelity": "source, compressed",
    "forge.versions:reduce_event": "state, event",
    "forge.versions:replay_prefix": "rows, as_of",
    "forge.versions:Repository": "path",
    "forge.versions:Repository.append": "self, event",
    "forge.versions:Repository.replay": "self, as_of",
    "forge.versions:Repository.ask": "self, question, as_of, on",
    "forge.versions:active_docs": "state",
    "forge.versions:temporal_view": "state, on",
    "forge.versions:canonical": "value",
    "forge.versions:sha": "text",
    "forge.versions:club_repository": "path",
    "forge.longrun:write_state_temp": "state_dir, ledger",
    "forge.longrun:commit_state_temp": "state_dir, temp",
    "forge.longrun:save_state": "state_dir, ledger",
    "forge.longrun:load_state": "state_dir",
    "forge.longrun:summarize_state": "ledger, features",
    "forge.longrun:rebuild_context": "base, ledger, features",
    "forge.longrun:decide": "text",
    "forge.replay:EventJournal.append": "self, event",
    "forge.replay:EventJournal.read_events": "self",
    "forge.replay:EventJournal.replay": "self",
    "forge.replay:DerivedSummaryCache.put": "self, summary_id, source_memory_ids, content",
    "forge.replay:DerivedSummaryCache.get": "self, summary_id",
    "forge.replay:DerivedSummaryCache.invalidate_for_memory": "self, memory_id",
    "forge.replay:delete_memory_everywhere": "memory_store, summary_cache, memory_id",
}


@pytest.mark.parametrize(("module", "names"), NAMES.items())
def test_every_public_name_of_the_course_can_be_imported(module: str, names: str) -> None:
    found = importlib.import_module(module)
    assert [name for name in names.split() if not hasattr(found, name)] == []
    assert set(names.split()) <= set(getattr(found, "__all__", names.split()))


@pytest.mark.parametrize(("target", "parameters"), SIGNATURES.items())
def test_a_function_of_the_course_takes_what_the_course_says_and_more_only_by_keyword(
    target: str, parameters: str
) -> None:
    module, _, path = target.partition(":")
    found: object = importlib.import_module(module)
    for name in path.split("."):
        found = getattr(found, name)
    taken = inspect.signature(found).parameters.values()  # type: ignore[arg-type]
    assert ", ".join(p.name for p in taken if p.kind is not p.KEYWORD_ONLY) == parameters


def test_importing_forge_loads_nothing_else() -> None:
    script = (
        "import sys, forge; print([name for name in sys.modules if name.startswith(('forge.', 'pydantic'))])"
    )
    assert (
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
        == "[]\n"
    )


def test_a_name_that_forge_does_not_have_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'forge' has no attribute 'nothing'"):
        getattr(importlib.import_module("forge"), "nothing")  # noqa: B009
