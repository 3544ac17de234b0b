"""How a checkpoint is written: the bytes of its file, its checksum, and what is said of bytes that are wrong.

The file is JSON for people to read, in one form only: sorted keys, two spaces, a newline at the end. The
checksum is over the canonical JSON of everything but itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..chain import FrozenDict, canonical, parse, sha256
from ..errors import CheckpointDamaged, CheckpointRefused, InvalidValue, NotCanonicalCheckpoint
from ..wording import show

Fields = dict[str, Any]
"""What a checkpoint holds, its checksum aside: `schema_version`, `state` and, if one was kept, `anchor`."""

WAY_OUT = "Keep the file, and recover from an earlier checkpoint or from the whole history."
"""What to do about any checkpoint that is refused."""


def checksum_of(fields: Fields) -> str:
    """The SHA-256 of the fields, as 64 hexadecimal digits."""
    return sha256(canonical(fields))


def encode(fields: Fields, checksum: str) -> bytes:
    """The bytes of the file."""
    content = {**fields, "checksum_sha256": checksum}
    return (json.dumps(content, ensure_ascii=False, sort_keys=True, indent=2) + "\n").encode("utf-8")


def decode(data: bytes, path: Path) -> Mapping[str, Any]:
    """The fields in the bytes of a file, with the checksum; `CheckpointDamaged` where there are none."""
    if not data.strip(b"\0"):
        found = f"holds {len(data)} zero bytes" if data else "is empty"
        raise damaged(f"{path.name} {found}: its writer lost power or was killed.", path)
    try:
        fields = parse(data)
    except InvalidValue as error:
        raise damaged(f"{path.name}: {error}", path) from None
    if not isinstance(fields, FrozenDict):
        raise damaged(f"{path.name} holds {show(fields)}, expected a mapping.", path)
    return fields


def damaged(facts: str, path: Path) -> CheckpointDamaged:
    """The error of a file that is not a checkpoint at all."""
    return CheckpointDamaged("checkpoint is damaged", facts, WAY_OUT, path=str(path))


def no_state(facts: str, path: Path) -> CheckpointRefused:
    """The error of a file whose fields are not those of a checkpoint."""
    return CheckpointRefused("checkpoint does not hold a state", facts, WAY_OUT, path=str(path))


def checksum_mismatch(recorded: object, expected: str, path: Path) -> CheckpointDamaged:
    """The error of a file whose content is not what its checksum was made of."""
    return CheckpointDamaged(
        "checkpoint checksum mismatch",
        f"{path.name} records {str(recorded)[:12]}…, its content gives {expected[:12]}….",
        WAY_OUT,
        path=str(path),
    )


def not_canonical(data: bytes, expected: bytes, path: Path) -> NotCanonicalCheckpoint:
    """The error of a file that says the right thing in other bytes than `expected`."""
    pairs = zip(data, expected, strict=False)
    offset = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(data), len(expected)))
    return NotCanonicalCheckpoint(
        "checkpoint is not byte for byte what forge saves",
        f"{path.name} differs from byte {offset} on: expected {expected[offset : offset + 16]!r}, "
        f"found {data[offset : offset + 16]!r}.",
        WAY_OUT,
        path=str(path),
        offset=offset,
    )
