"""The power-cut dial: what a checkpoint file may hold when the power goes during its save.

The writers are run for real, on a `FakeDisk`. After each of their disk operations every content that the
device may hold is loaded, and the worst is shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from ..device import Operation
from ..errors import CheckpointRefused
from ..fakes import FakeDisk
from ..state.checkpoint import load_checkpoint, save_checkpoint
from ..state.models import RunState, RunStatus
from ..storage import Disk, atomic_replace
from .figure import Block, Dial, Frame
from .marks import CUT

FILE = Path("checkpoint.json")

Writer = Callable[[Path, bytes, Disk], object]
"""Makes the file hold the bytes, in its own way."""


def truncate_then_write(path: Path, data: bytes, disk: Disk) -> None:
    """What `open(path, "w")` and `write` do: the old content is gone before the new one is there."""
    disk.truncate(path, 0)
    disk.append(path, data)


def temp_then_rename(path: Path, data: bytes, disk: Disk) -> None:
    """A new file in place of the old one; nothing waits until its bytes are on the device."""
    new = path.with_name(f".{path.name}.tmp")
    disk.create(new, b"")
    disk.append(new, data)
    disk.rename(new, path)


def temp_sync_rename(path: Path, data: bytes, disk: Disk) -> None:
    """What `save_checkpoint` does: sync the new file, rename it, sync the folder."""
    atomic_replace(path, data, disk=disk)


WRITERS: Mapping[str, Writer] = MappingProxyType(
    {
        "truncate, then write": truncate_then_write,
        "temp, then rename": temp_then_rename,
        "temp, sync, rename": temp_sync_rename,
    }
)


class Outcome(NamedTuple):
    """What a power cut may leave: the worst content of the file, of what kind it is, and what loading says.

    `refused` of the `possible` contents cannot be loaded; `words` are the first words of the refusal of the
    worst one, empty when it loads.
    """

    kind: str
    content: bytes | None
    words: str
    refused: int
    possible: int


_WORST_FIRST = ("cut short", "mixed with the old one", "zeros", "empty", "missing", "old", "new")
_ZEROS_FIRST = ("zeros", *(kind for kind in _WORST_FIRST if kind != "zeros"))


def power_cut_dial(
    old: RunState | None = None,
    new: RunState | None = None,
    *,
    writers: Mapping[str, Writer] = WRITERS,
    title: str = "The worst that a power cut during a save may leave",
) -> Dial:
    """A slider over the disk operations of a save of `new` over `old`, for several writers side by side.

    Of the contents that a cut may leave, one that does not load is shown if there is any: one cut short, in
    the middle; else zeros, an empty file, no file. Right after a rename zeros come first: the length is known
    where the name is, and the bytes are not. If all of them load, the old one is shown if it is among them.
    Making the folder, which is there, changes nothing and counts as no operation.
    """
    before = _saved(old or _state(2, "inspect"))
    after = _saved(new or _state(4, "draft"))
    ran = {name: _run(writer, before, after) for name, writer in writers.items()}
    last = max(len(steps) for _, steps in ran.values()) - 1
    frames = []
    for place in range(last + 1):
        blocks: list[Block] = []
        lost: dict[str, list[str]] = {}
        for name, (disk, steps) in ran.items():
            outcome = outcome_after(disk, steps[min(place, len(steps) - 1)], before, after)
            blocks.append(_block(name, disk, steps, place, outcome))
            if outcome.refused:
                returned = ", although the save has returned" if place >= len(steps) - 1 else ""
                many = f"{outcome.refused} of the {outcome.possible} contents that a cut may leave here"
                lost.setdefault(f"{many} cannot be loaded{returned}.", []).append(f"“{name}”")
        label = "before the save" if place == 0 else "every save has returned" if place == last else ""
        told = [f"{' and '.join(names)}: {what}" for what, names in lost.items()]
        caption = " ".join(told) or "Whatever a power cut leaves here, a whole checkpoint loads."
        frames.append(Frame(label, blocks, caption))
    return Dial(title, frames, unit="disk operations", lead="the plug is pulled after")


def outcome_after(disk: FakeDisk, operation: int, before: bytes, after: bytes) -> Outcome:
    """The worst of what a power cut after that operation may leave of the file, and what loading it says."""
    contents = dict.fromkeys(state.get(FILE) for state in disk.states_after_cut(operation))
    refusals = {content: _refusal(content) for content in contents}
    refused = [content for content, words in refusals.items() if words]
    kinds: dict[str, list[bytes | None]] = {}
    for content in refused or contents:
        kinds.setdefault(_kind(content, before, after), []).append(content)
    renamed = operation and disk.operations[operation - 1].name == "rename"
    kind = next(kind for kind in (_ZEROS_FIRST if renamed else _WORST_FIRST) if kind in kinds)
    shown = sorted(kinds[kind], key=lambda content: len(content or b""))[len(kinds[kind]) // 2]
    return Outcome(kind, shown, refusals[shown], len(refused), len(contents))


def _run(writer: Writer, before: bytes, after: bytes) -> tuple[FakeDisk, list[int]]:
    """The disk after a save, and the numbers of the operations that count, with 0 for none."""
    disk = FakeDisk({FILE: before})
    writer(FILE, after, disk)
    counted = [n for n, done in enumerate(disk.operations, start=1) if done.name != "make_folder"]
    return disk, [0, *counted]


def _block(name: str, disk: FakeDisk, steps: Sequence[int], place: int, outcome: Outcome) -> Block:
    if place == 0:
        note = "nothing is done yet"
    elif place < len(steps):
        note = _told(disk.operations[steps[place] - 1])
    else:
        note = "the save has returned"
    return Block(name, _text(outcome), _verdict(outcome, returned=place >= len(steps) - 1), note)


def _verdict(outcome: Outcome, *, returned: bool) -> str:
    if outcome.words:
        return f"✗ {outcome.kind}: {outcome.words}"
    if outcome.kind == "old" and returned:
        return "◐ the old one loads; the save had returned"
    if outcome.kind == "old":
        return f"✓ the old one loads{', or the new one' if outcome.possible > 1 else ''}"
    return "✓ the new one loads"


def _told(operation: Operation) -> str:
    if operation.name == "sync_folder":
        return "sync the folder"
    what = operation.path.name if operation.path == FILE else "the temp file"
    verb = {"append": "write"}.get(operation.name, operation.name)
    size = f", {len(operation.data)} bytes" if operation.data else ""
    return f"{verb} {what}{size}{f' to {operation.target.name}' if operation.target else ''}"


def _text(outcome: Outcome) -> str:
    kind, content, *_ = outcome
    if content is None:
        return "no file"
    if kind == "zeros":
        return f"{len(content)} zero bytes"
    text = re.sub(r"([0-9a-f]{8})[0-9a-f]{56}", r"\1…", content.decode("utf-8", "ignore"))
    return text.rstrip("\n") + (CUT if kind in ("cut short", "empty") else "")


def _kind(content: bytes | None, before: bytes, after: bytes) -> str:
    if content is None:
        return "missing"
    if content in (before, after):
        return "old" if content == before else "new"
    if not content.strip(b"\0"):
        return "zeros" if content else "empty"
    return "cut short" if after.startswith(content) else "mixed with the old one"


def _refusal(content: bytes | None) -> str:
    try:
        load_checkpoint(FILE, disk=FakeDisk({} if content is None else {FILE: content}))
    except CheckpointRefused as error:
        return error.words
    except FileNotFoundError:
        return "there is no checkpoint"
    return ""


def _saved(state: RunState) -> bytes:
    disk = FakeDisk()
    save_checkpoint(FILE, state, disk=disk)
    return disk.files[FILE]


def _state(version: int, step: str) -> RunState:
    return RunState(
        run_id="run-1",
        status=RunStatus.RUNNING,
        version=version,
        last_event_id=f"e{version}",
        current_step=step,
        write_allowed=True,
    )
