"""A checkpoint: the state of a run at one moment, in a file that is whole or refused.

Saving leaves the old file or the new one, never a part of either. Loading gives back what was saved or raises
an error that says what is wrong and what to do. The checksum shows accidents and careless edits; whoever can
write the file can compute it again. Only what they cannot write shows that: the events, or a checksum kept
elsewhere.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from ..errors import CheckpointRefused, ForgeModel, InvalidValue
from ..log import Anchor
from ..storage import REAL_DISK, Disk, atomic_replace
from .checkpoint_bytes import Fields, checksum_mismatch, checksum_of, encode, no_state, not_canonical
from .models import RunState
from .upcast import upcast

CHECKPOINT_SCHEMA_VERSION = 1
"""The version in which checkpoints are written; `state.version` is another number and counts events."""


class CheckpointEnvelope(ForgeModel):
    """A state, and what is needed to trust it again; `anchor` is the log when the state was taken."""

    schema_version: int = Field(ge=1)
    state: RunState
    checksum_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    anchor: Anchor | None = None


class LastGood(NamedTuple):
    """The checkpoint that loaded, where it stands, and why each one tried before it was refused."""

    checkpoint: CheckpointEnvelope
    path: Path
    refused: tuple[CheckpointRefused, ...]


def checkpoint_checksum(schema_version: int, state: RunState, anchor: Anchor | None = None) -> str:
    """The SHA-256 that a checkpoint of this version, state and anchor must record, as 64 hex digits."""
    return checksum_of(checkpoint_fields(schema_version, state, anchor))


def checkpoint_fields(schema_version: int, state: RunState, anchor: Anchor | None) -> Fields:
    """What the checksum covers. Without an anchor there is no such field, not an empty one."""
    fields: Fields = {"schema_version": schema_version, "state": state.model_dump(mode="json")}
    if anchor is not None:
        fields["anchor"] = anchor.model_dump()
    return fields


def envelope_of(state: RunState, anchor: Anchor | None = None) -> CheckpointEnvelope:
    """The envelope that a checkpoint of this state holds, in today's version."""
    return CheckpointEnvelope(
        schema_version=CHECKPOINT_SCHEMA_VERSION,
        state=state,
        checksum_sha256=checkpoint_checksum(CHECKPOINT_SCHEMA_VERSION, state, anchor),
        anchor=anchor,
    )


def encode_checkpoint(envelope: CheckpointEnvelope) -> bytes:
    """The one way to write the envelope to a file."""
    fields = checkpoint_fields(envelope.schema_version, envelope.state, envelope.anchor)
    return encode(fields, envelope.checksum_sha256)


def save_checkpoint(
    path: str | PathLike[str], state: RunState, *, anchor: Anchor | None = None, disk: Disk = REAL_DISK
) -> CheckpointEnvelope:
    """Make `path` hold the state, durably, and return what was written.

    A crash at any moment, or a disk that refuses (`StorageError`), leaves the checkpoint from before or this
    one, whole. Save after the events are in the log, never before: see `CheckpointAhead`.
    """
    envelope = envelope_of(state, anchor)
    atomic_replace(path, encode_checkpoint(envelope), disk=disk)
    return envelope


def load_checkpoint(path: str | PathLike[str], *, disk: Disk = REAL_DISK) -> CheckpointEnvelope:
    """The checkpoint in the file, which is exactly what was saved, or a `CheckpointRefused`, a `ValueError`.

    `UnsupportedCheckpoint` for a version forge cannot read, `CheckpointDamaged` for other content than was
    saved, `NotCanonicalCheckpoint` for the same content in other bytes. A missing file raises
    `FileNotFoundError`: having no checkpoint is not the same as having a bad one.
    """
    path = Path(path)
    data = upcast(disk.read(path), path, to=CHECKPOINT_SCHEMA_VERSION)
    envelope = read_envelope(data, path)
    expected = checkpoint_checksum(envelope.schema_version, envelope.state, envelope.anchor)
    if not hmac.compare_digest(expected, envelope.checksum_sha256):
        raise checksum_mismatch(envelope.checksum_sha256, expected, path)
    if data != encode_checkpoint(envelope):
        raise not_canonical(data, encode_checkpoint(envelope), path)
    return envelope


def read_envelope(data: bytes, path: Path) -> CheckpointEnvelope:
    """The envelope in the bytes of a file; `CheckpointRefused` names the field that is wrong."""
    try:
        return CheckpointEnvelope.model_validate_json(data)
    except InvalidValue as error:
        raise no_state(f"{path.name}: {error}", path) from error


def load_last_good(paths: Iterable[str | PathLike[str]], *, disk: Disk = REAL_DISK) -> LastGood:
    """The first of these checkpoints that loads; give the newest first. It says which were refused, and why.

    `CheckpointRefused` when none loads.
    """
    refused: list[CheckpointRefused] = []
    for path in map(Path, paths):
        try:
            return LastGood(load_checkpoint(path, disk=disk), path, tuple(refused))
        except CheckpointRefused as error:
            refused.append(error)
    raise CheckpointRefused(
        "no checkpoint can be loaded",
        " ".join(f"({n}) {error.words}: {error.facts}" for n, error in enumerate(refused, start=1))
        or "none was given.",
        "Replay the whole history.",
        refused=tuple(refused),
    )
