"""Checkpoints of earlier schema versions, brought up to today's one step at a time.

A step takes the fields of a checkpoint in its version and returns them in the next one. To change what a
checkpoint holds: raise `CHECKPOINT_SCHEMA_VERSION`, write the step that leads out of the version before, and
put it into `UPCASTERS`. A step is never changed afterwards: the files it reads do not change either.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from ..errors import UnsupportedCheckpoint
from ..wording import show
from .checkpoint_bytes import (
    Fields,
    checksum_mismatch,
    checksum_of,
    decode,
    encode,
    no_state,
    not_canonical,
)


def from_version_0(fields: Fields) -> Fields:
    """The fields of a version 0 checkpoint, in version 1.

    Version 0 is invented, so that there is a step to read: it called the write permission `may_write`, and it
    did not keep why a run failed.
    """
    state = dict(fields["state"])
    state["write_allowed"] = state.pop("may_write")
    state["failure_reason"] = None
    return {**fields, "schema_version": 1, "state": state}


UPCASTERS: Mapping[int, Callable[[Fields], Fields]] = MappingProxyType({0: from_version_0})
"""The step that leads out of each earlier version."""


def upcast(data: bytes, path: Path, *, to: int) -> bytes:
    """The checkpoint in `data` as version `to` writes it; `data` itself when it is of that version.

    An older checkpoint is verified in its own version, checksum and bytes, before anything in it is used.
    `UnsupportedCheckpoint` for a version that is not `to` and that no step leads out of.
    """
    fields = dict(decode(data, path))
    version = fields.get("schema_version")
    if type(version) is not int:
        return data
    require_readable(version, to, path)
    if version == to:
        return data
    recorded, expected = fields.pop("checksum_sha256", None), checksum_of(fields)
    if not hmac.compare_digest(str(recorded).encode(), expected.encode()):
        raise checksum_mismatch(recorded, expected, path)
    if encode(fields, expected) != data:
        raise not_canonical(data, encode(fields, expected), path)
    for step in range(version, to):
        try:
            fields = UPCASTERS[step](fields)
        except (KeyError, TypeError, ValueError) as error:
            facts = f"{path.name} is of version {step}, and the step out of it met {show(error)}."
            raise no_state(facts, path) from error
    return encode(fields, checksum_of(fields))


def require_readable(version: int, known: int, path: Path) -> None:
    """Refuse every version but the known one, and those that a step leads out of."""
    if version != known and version not in UPCASTERS:
        raise unsupported(version, known, path)


def unsupported(version: int, known: int, path: Path) -> UnsupportedCheckpoint:
    """The error of a file in a version that forge cannot read."""
    newer = "Open it with the forge that wrote it, or recover" if version > known else "Recover"
    return UnsupportedCheckpoint(
        "unsupported checkpoint schema version",
        f"{version} in {path.name}, this forge reads {min(UPCASTERS)} to {known}.",
        f"{newer} from the whole history.",
        path=str(path),
        found=version,
        known=known,
    )
