"""Mechanism 13: large outputs go to files; the conversation gets a pointer.

A file is named after its content, so the same output is stored once. A pointer holds the digest, so a file
that was changed is noticed when it is read back.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ..chain import sha256
from ..errors import InvalidValue
from ..storage import REAL_DISK, Disk, atomic_replace
from ..wording import show

LIMIT = 4_000
"""Characters of an output that stay in the conversation: about a thousand tokens."""

_PREVIEW = 400


class Pointer(NamedTuple):
    """Where an output is kept: its digest, its path in the workspace, and its length in characters."""

    digest: str
    path: str
    characters: int


class Outputs:
    """The outputs of a workspace, in `folder`, each in a file that is named after its SHA-256."""

    def __init__(self, folder: str | os.PathLike[str], *, limit: int = LIMIT, disk: Disk = REAL_DISK) -> None:
        self.folder = Path(folder)
        self.limit = limit
        self._disk = disk

    def shorten(self, output: str) -> tuple[str, Pointer | None]:
        """The output itself when it is short; else its beginning and where the whole is, and the pointer."""
        if len(output) <= self.limit:
            return output, None
        pointer = self.store(output)
        text = (
            f"{output[:_PREVIEW]}\n[… {len(output):,} characters in all. "
            f"The whole: read_output with digest {pointer.digest}]"
        )
        return text, pointer

    def store(self, output: str) -> Pointer:
        """Keep an output, durably, under its digest; what is there already and holds is left as it is."""
        data = output.encode("utf-8")
        digest = sha256(data)
        path = self._path(digest)
        held = None
        with suppress(FileNotFoundError):
            held = self._disk.read(path)
        if held != data:
            atomic_replace(path, data, disk=self._disk)
        return Pointer(digest, f"{self.folder.name}/{path.parent.name}/{path.name}", len(output))

    def read(self, digest: str, start: int = 0, length: int = LIMIT) -> str:
        """At most `length` characters of an output, from `start` on; `InvalidValue` when it was changed."""
        if not isinstance(digest, str) or not re.fullmatch(r"[0-9a-f]{64}", digest):
            raise InvalidValue("digest was refused", f"expected 64 hexadecimal digits, found {show(digest)}.")
        try:
            data = self._disk.read(self._path(digest))
        except FileNotFoundError:
            raise InvalidValue("no output has this digest", f"{digest[:12]}… is not kept here.") from None
        if sha256(data) != digest:
            raise InvalidValue(
                "an output was changed", f"the file {digest[:12]}… holds other bytes.", "Run the tool again."
            )
        if start < 0 or length < 1:
            raise InvalidValue(
                "the part was refused", f"expected start ≥ 0, length ≥ 1, found {start}, {length}."
            )
        return data.decode("utf-8")[start : start + min(length, self.limit)]

    def _path(self, digest: str) -> Path:
        return self.folder / digest[:2] / f"{digest}.txt"
