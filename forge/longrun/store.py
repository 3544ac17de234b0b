"""The ledger on disk: one file, replaced as a whole, and never repaired by guessing."""

from __future__ import annotations

import itertools
import json
import os
import re
from contextlib import suppress
from pathlib import Path

from ..chain import freeze, parse, thaw
from ..errors import InvalidValue, LedgerDamaged
from ..storage import REAL_DISK, Disk
from .ledger import Ledger

NAME = "run.json"
_TEMP = re.compile(r"\.run\.json\.tmp-\d+-\d+")
_counter = itertools.count(1)


def repo_folder(work: Path) -> Path:
    """Where the target stands, the repository that the agent changes."""
    return work / "repo"


def state_folder(work: Path) -> Path:
    """Where the ledger stands: beside the target and never in it.

    In it, the ledger would be committed by the agent, and would go back with the target when that is rolled
    back, with everything that a failure has taught.
    """
    return work / "state"


def state_file(state_dir: Path) -> Path:
    """The file of the ledger in its folder."""
    return state_dir / NAME


def temp_path(state_dir: Path) -> Path:
    """A new name for a temporary file, in the folder of the file that it will replace.

    A rename is one step only within a file system (rename(2), EXDEV). A number goes with the process id, as
    one process writes many.
    """
    return state_dir / f".{NAME}.tmp-{os.getpid()}-{next(_counter)}"


def write_state_temp(state_dir: Path, ledger: Ledger, *, disk: Disk = REAL_DISK) -> Path:
    """Write the ledger to a new temporary file, durably, and give its path.

    A name that is taken is left alone, and the next one tried: in a container every process may have one id,
    and an earlier one may have left a file behind.
    """
    disk.make_folder(state_dir)
    while True:
        temp = temp_path(state_dir)
        try:
            disk.create(temp, encode(ledger))
        except FileExistsError:
            continue
        disk.sync(temp)
        return temp


def commit_state_temp(state_dir: Path, temp: Path, *, disk: Disk = REAL_DISK) -> None:
    """Put the temporary file in the place of the ledger, in one step, and return when that is durable."""
    disk.rename(temp, state_file(state_dir))
    disk.sync_folder(state_dir)


def save_state(state_dir: Path, ledger: Ledger, *, disk: Disk = REAL_DISK) -> None:
    """Replace the ledger on disk; at every moment it holds the old one or the new one, whole.

    A failure leaves the old one. Like the whole state layer, this is for one writer.
    """
    try:
        commit_state_temp(state_dir, write_state_temp(state_dir, ledger, disk=disk), disk=disk)
    except OSError:
        with suppress(OSError):
            remove_temps(state_dir, disk=disk)
        raise


def load_state(state_dir: Path, *, disk: Disk = REAL_DISK) -> Ledger | None:
    """The ledger on disk; None when there is no file, for that is a new night.

    A file that is not one whole valid ledger, byte for byte as it was saved, raises `LedgerDamaged`: nobody
    is awake to notice a night that began again.
    """
    path = state_file(state_dir)
    try:
        data = disk.read(path)
    except FileNotFoundError:
        return None
    try:
        ledger = Ledger.model_validate(parse(data))
    except InvalidValue as error:
        raise damaged(path, str(error)) from None
    if encode(ledger) != data:
        raise damaged(path, "it says the right thing in other bytes than it was saved in.")
    return ledger


def remove_temps(state_dir: Path, *, disk: Disk = REAL_DISK) -> None:
    """Remove what writers that were killed have left. Only the one writer of the folder may ask for it."""
    for name in disk.list(state_dir):
        if _TEMP.fullmatch(name):
            disk.remove(state_dir / name)


def encode(ledger: Ledger) -> bytes:
    """The bytes of a ledger: JSON that a person can read, always the same for the same ledger."""
    fields = thaw(freeze(ledger.model_dump(mode="json")))
    return (json.dumps(fields, ensure_ascii=False, indent=2) + "\n").encode()


def damaged(path: Path, facts: str) -> LedgerDamaged:
    """The error for a file that is no ledger."""
    hint = "Nothing was repaired. Look at the file, or bring it back from a copy, before the run goes on."
    return LedgerDamaged(f"the ledger is damaged: {path}", facts, hint, path=str(path))
