"""A restart: everything is read from disk by adapters that have never seen it.

    python -m forge.harness.read_back WORKSPACE SESSION

runs it in a process of its own and prints what it found as one line of canonical JSON. Nothing of the
process that wrote can survive into that one.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from ..chain import canonical, parse
from ..errors import ForgeError, PeerLost, ProofBroken
from ..memory import MemoryScope, MemoryStore
from .remote_memory import RemoteMemoryStore
from .restore import restore_durable_state
from .sandbox import OWN
from .transcript import Transcript, transcript_path

_SECONDS = 60


class Paths(NamedTuple):
    """Where the memories of a workspace stand, its audit log and the manifests of its attempts."""

    memory: Path
    remote: Path
    audit: Path
    manifests: Path

    @classmethod
    def of(cls, workspace: str | os.PathLike[str]) -> Paths:
        """The paths in a workspace."""
        own = Path(workspace).resolve() / OWN
        return cls(own / "memory.sqlite3", own / "remote.jsonl", own / "audit.jsonl", own / "manifests")


def read_back(workspace: str | os.PathLike[str], session_id: str, scopes: tuple[str, ...]) -> dict[str, Any]:
    """What fresh adapters find: the session's events, the memories of the scopes, and the restored proof.

    `process` is the one that looked. Raises the error of the first thing that cannot be trusted.
    """
    paths = Paths.of(workspace)
    entries = Transcript(transcript_path(workspace, session_id), session_id).read()
    with MemoryStore(paths.memory) as store:
        found = [record for scope in scopes for record in store.query(MemoryScope.USER, scope)]
    remote = [fact for fact in RemoteMemoryStore(paths.remote) if fact.scope in scopes]
    state = restore_durable_state(entries)
    return {
        "process": os.getpid(),
        "events": [entry.event.kind.value for entry in entries],
        "memories": sorted(record.memory_id for record in found),
        "remote": sorted(fact.memory_id for fact in remote),
        "proof": state.to_json(),
        "proof_sha256": state.digest,
    }


def in_a_child(workspace: str | os.PathLike[str], session_id: str, scopes: tuple[str, ...]) -> dict[str, Any]:
    """What `read_back` finds in a process of its own; its errors come out as `ProofBroken`."""
    command = [sys.executable, "-m", "forge.harness.read_back", str(workspace), session_id, *scopes]
    done = subprocess.run(
        command,
        capture_output=True,
        timeout=_SECONDS,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    said = done.stdout.strip()
    if done.returncode == 1 and said:
        raise ProofBroken("the restart found something broken", said.decode("utf-8", "replace"))
    if done.returncode != 0:
        tail = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise PeerLost("the restart did not come to its end", f"code {done.returncode}: {' '.join(tail)}")
    found: dict[str, Any] = parse(said)
    return found


def main() -> int:
    """Read back and print it: code 1 and the error's text when something cannot be trusted."""
    workspace, session_id, *scopes = sys.argv[1:]
    try:
        sys.stdout.buffer.write(canonical(read_back(workspace, session_id, tuple(scopes))))
    except ForgeError as error:
        sys.stdout.buffer.write(f"{type(error).__name__}: {error}".encode())
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
