"""The power fails at any moment of an append or a repair, and any bit of the file may flip."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from forge.errors import DamagedRecord, LogError, TornTail
from forge.fakes import FakeDisk
from forge.lines import ScanEnd
from forge.replay import EventJournal, JournalRecord
from tests.replay.runs import PATH, content, event, events

SWEEP = bool(os.environ.get("FORGE_SWEEP"))

Files = dict[Path, bytes]


def cuts(disk: FakeDisk) -> Iterator[tuple[int, Files]]:
    """Every operation, and every content that the device may hold if the power fails right after it."""
    for step in range(len(disk.operations) + 1):
        for left in disk.states_after_cut(step):
            yield step, left


def opened(left: Files, acknowledged: int, *, batched: bool = False) -> int:
    """Open what a cut left: whole events, none of the acknowledged ones missing, or a torn tail that a repair
    turns into that. Gives the number of further contents that were tried.

    Of several writes that were not synced, a device may lose one and keep the next: then the journal is
    called damaged, and a scan gives what was acknowledged.
    """
    disk, tried = FakeDisk(left), 0
    journal = EventJournal(PATH, disk=disk)
    *records, end = journal.scan()
    assert isinstance(end, ScanEnd)
    assert [record.event for record in records if isinstance(record, JournalRecord)] == events(end.count)
    assert end.count >= acknowledged
    assert end.reason in ("end", "torn", *(["damaged"] if batched else []))
    if end.reason == "damaged":
        with pytest.raises(DamagedRecord, match=rf"scan\(\) gives the {end.count} whole record"):
            journal.read_events()
        return 0
    if end.reason == "torn":
        tried = cut_while_repairing(left, acknowledged) if SWEEP else 0
        with pytest.raises(TornTail, match=r"repair\(\) moves those bytes aside"):
            journal.read_events()
        repaired = journal.repair()
        assert repaired is not None
        assert disk.files[PATH] + disk.files[repaired.path] == left[PATH]
    assert journal.read_events() == events(end.count)
    journal.append(event(end.count + 1))
    assert EventJournal(PATH, disk=disk).read_events() == events(end.count + 1)
    return tried


def cut_while_repairing(torn: Files, acknowledged: int) -> int:
    """The power fails again, anywhere in the repair: the next repair finishes it. How many contents."""
    whole = FakeDisk(torn)
    EventJournal(PATH, disk=whole).repair()
    tried = 0
    for _, left in cuts(whole):
        after = FakeDisk(left)
        EventJournal(PATH, disk=after).repair()
        assert after.files == whole.files
        tried += 1
    assert len(EventJournal(PATH, disk=whole).read_events()) >= acknowledged
    return tried


BEFORE: dict[str, tuple[Files, int]] = {
    "no file": ({}, 0),
    "an empty file": ({PATH: b""}, 0),
    "three events": ({PATH: content(3)}, 3),
    "a lost newline": ({PATH: content(3)[:-1]}, 3),
}


@pytest.mark.parametrize("fsync_every", [1, 3])
@pytest.mark.parametrize("before", BEFORE)
def test_a_power_cut_while_appending_loses_nothing_acknowledged(before: str, fsync_every: int) -> None:
    files, held = BEFORE[before]
    disk = FakeDisk(files)
    journal = EventJournal(PATH, disk=disk, fsync_every=fsync_every)
    safe = {0: held}  # what a power cut may not take, by the number of the operation that made it so
    for number in range(held + 1, held + 1 + (3 if SWEEP else 2)):
        journal.append(event(number))
        if disk.operations[-1].name == "sync":
            safe[len(disk.operations)] = number

    tried, seen = 0, set()
    for step, left in cuts(disk):
        acknowledged = safe[max(done for done in safe if done <= step)]
        if (state := (acknowledged, *sorted(left.items()))) not in seen:
            seen.add(state)
            tried += 1 + opened(left, acknowledged, batched=fsync_every > 1)
    print(f"append to {before}, synced every {fsync_every}: {tried} contents after a power cut")
    assert tried > 100


@pytest.mark.parametrize("kept", [0, 1, 3])
def test_a_power_cut_while_repairing_loses_no_byte(kept: int) -> None:
    lines = content(kept + 1).splitlines(keepends=True)
    whole, last = b"".join(lines[:kept]), lines[kept]
    cut_at = range(1, len(last) - 2) if SWEEP else (1, len(last) // 2, len(last) - 3)
    tried = sum(cut_while_repairing({PATH: whole + last[:at]}, kept) for at in cut_at)
    print(f"repair after {kept} events: {tried} contents after a power cut")
    assert tried > 50


def test_every_flipped_bit_of_twenty_events_is_detected() -> None:
    data = content(20)
    assert EventJournal(PATH, disk=FakeDisk({PATH: data})).read_events() == events(20)
    flips = 0
    for byte in range(len(data)):
        for bit in range(8):
            flipped = bytearray(data)
            flipped[byte] ^= 1 << bit
            with pytest.raises(LogError):
                EventJournal(PATH, disk=FakeDisk({PATH: bytes(flipped)})).anchor()
            flips += 1
    print(f"{flips} of {flips} flipped bits detected")
    assert flips == 8 * len(data)
