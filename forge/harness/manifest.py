"""The manifest of an attempt: what the model was shown and why, with the digests of both.

It says what one attempt ended with, so that it can be checked later against the transcript and the memories,
which are still there. Its digests have no key: they show accidents and careless edits.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from ..chain import canonical, parse_canonical, sha256
from ..errors import ProofBroken
from ..lines import Anchor
from ..storage import REAL_DISK, Disk, atomic_replace
from ..wording import show
from .restore import restore_durable_state
from .transcript import Transcript, transcript_path

VERSION = 1


def write_manifest(path: Path, facts: Mapping[str, Any], *, disk: Disk = REAL_DISK) -> bytes:
    """Write the facts, with the digests of their `context` and `proof`, whole or not at all."""
    digests = {name: sha256(canonical(facts[name])) for name in ("context", "proof")}
    whole = {
        "manifest_version": VERSION,
        **facts,
        **{f"{name}_sha256": digest for name, digest in digests.items()},
    }
    data = canonical(whole)
    atomic_replace(path, data, disk=disk)
    return data


def read_manifest(path: str | PathLike[str], *, disk: Disk = REAL_DISK) -> dict[str, Any]:
    """The manifest in a file, if its digests are those of its context and its proof; else `ProofBroken`."""
    path = Path(path)
    value = parse_canonical(disk.read(path))
    if not isinstance(value, dict) or value.get("manifest_version") != VERSION:
        raise _broken(path, f"a manifest of version {VERSION}", show(value))
    for name in ("context", "proof"):
        expected, found = value.get(f"{name}_sha256"), sha256(canonical(value.get(name)))
        if expected != found:
            raise _broken(path, f"a {name} with the digest {str(expected)[:12]}…", f"{found[:12]}…")
    return value


def verify_manifest(workspace: str | PathLike[str], path: str | PathLike[str]) -> dict[str, Any]:
    """The manifest, if the transcript it names still holds what it remembers and proves the same."""
    manifest = read_manifest(path)
    session_id = manifest["session_id"]
    transcript = Transcript(transcript_path(workspace, session_id), session_id)
    anchor = Anchor(**manifest["transcript"])
    state = restore_durable_state(transcript.read(anchor=anchor))
    if state.to_json() != manifest["proof"]:
        raise _broken(Path(path), "the proof of its transcript", "another one")
    return manifest


def _broken(path: Path, expected: str, found: str) -> ProofBroken:
    return ProofBroken(
        "a manifest is broken",
        f"{path.name}: expected {expected}, found {found}.",
        "Do not rely on it; run the attempt again, which leaves a manifest of its own.",
        path=str(path),
        expected=expected,
        found=found,
    )
