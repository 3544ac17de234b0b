"""Unpack a zip of submissions: nothing leaves its folder, and what is refused gets a row."""

from __future__ import annotations

import calendar
import contextlib
import os
import shutil
import stat
import zipfile
import zlib
from pathlib import Path

from .errors import GradingRefused, NotANotebook
from .layouts import Layout, owner
from .sheet import MAX_BYTES
from .submissions import Submission

MAX_FILES = 100_000
MAX_UNPACKED = 20_000_000_000
"""The most files, and the most bytes of all of them together, that are unpacked."""

_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError)


def unpack(path: Path, folder: Path, layout: Layout) -> list[Submission]:
    """Unpack a zip into an empty folder, each file with its own time; those that are refused come back."""
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError) as error:
        raise GradingRefused(
            "neither a folder nor a zip", f"{path}: {error}.", "Name what holds the submissions."
        ) from None
    with archive:
        members = [info for info in archive.infolist() if not info.is_dir()]
        size = sum(info.file_size for info in members if info.file_size <= MAX_BYTES)
        if len(members) > MAX_FILES or size > MAX_UNPACKED:
            facts = f"{path.name} holds {len(members)} files of {size / 1e9:.1f} GB."
            limit = f"At most {MAX_FILES} files of {MAX_UNPACKED / 1e9:.0f} GB are unpacked: split it."
            raise GradingRefused("the zip is too large", facts, limit)
        found = [_unpacked(archive, info, folder, layout) for info in members]
    return [one for one in found if one is not None]


def _unpacked(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, folder: Path, layout: Layout
) -> Submission | None:
    parts = info.filename.replace("\\", "/").split("/")
    if not all(parts) or {".", ".."} & set(parts):
        return Submission("", folder / "∕".join(parts)[:100], reason="its name leads out of the zip")
    place, (learner, number) = folder.joinpath(*parts), owner(layout, parts)
    try:
        if stat.S_ISLNK(info.external_attr >> 16):
            raise NotANotebook("a link is not read", "", "Hand in the file itself.")
        if info.file_size > MAX_BYTES:
            size = f"{info.file_size / 1e6:.0f} MB, at most {MAX_BYTES / 1e6:.0f} MB are read."
            raise NotANotebook("the file is too large", size, "Clear its outputs and save it again.")
        if place.exists():
            raise NotANotebook("another file of the zip has this name")
        _write(archive, info, place)
    except NotANotebook as error:
        return Submission(learner, place, reason=str(error), number=number)
    except _DAMAGE as error:
        with contextlib.suppress(OSError):
            place.unlink()
        return Submission(learner, place, reason=f"it cannot be unpacked: {error}", number=number)
    return None


def _write(archive: zipfile.ZipFile, info: zipfile.ZipInfo, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(info) as source, place.open("xb") as target:
        shutil.copyfileobj(source, target)
    when = calendar.timegm((*info.date_time, 0, 0, 0))
    os.utime(place, (when, when))
