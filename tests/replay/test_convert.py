"""A journal in other bytes is rewritten with every hash as it was, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from forge.chain import GENESIS, canonical, link
from forge.errors import DamagedRecord, InvalidValue, LogError, StorageError, TornTail
from forge.fakes import FakeDisk, PowerCut
from forge.replay import Conversion, EventJournal, convert
from tests.replay.runs import PATH, content, event, events, holding, spaced

KEPT = PATH.with_name(f"{PATH.name}.before-convert")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_journal_with_spaces_becomes_the_canonical_one(newline: str) -> None:
    old = spaced(3, newline=newline)
    disk = FakeDisk({PATH: old})
    assert convert(PATH, disk=disk) == Conversion(PATH, KEPT, 3, 3, 0)
    assert disk.files == {PATH: content(3), KEPT: old}
    assert EventJournal(PATH, disk=disk).read_events() == events(3)


def test_an_anchor_of_the_new_file_is_that_of_the_old_one() -> None:
    disk = FakeDisk({PATH: spaced(3)})
    convert(PATH, disk=disk)
    assert EventJournal(PATH, disk=disk).anchor() == holding(content(3)).anchor()


def test_a_journal_with_both_kinds_of_lines_is_converted_as_a_whole() -> None:
    mixed = spaced(4).splitlines(keepends=True)[:2] + content(4).splitlines(keepends=True)[2:]
    disk = FakeDisk({PATH: b"".join(mixed)})
    assert convert(PATH, disk=disk).changed == 2
    assert disk.files[PATH] == content(4)


def test_a_canonical_journal_is_left_alone() -> None:
    for data in (content(3), content(3)[:-1], b""):
        disk = FakeDisk({PATH: data})
        assert convert(PATH, disk=disk).kept is None
        assert disk.operations == []


def test_a_copy_goes_to_a_new_file_and_leaves_the_old_one() -> None:
    disk, new = FakeDisk({PATH: spaced(3)}), Path("/work/new.jsonl")
    assert convert(PATH, new, disk=disk) == Conversion(new, PATH, 3, 3, 0)
    assert disk.files == {PATH: spaced(3), new: content(3)}
    with pytest.raises(StorageError, match="the file exists"):
        convert(PATH, new, disk=disk)


def test_text_that_looks_like_the_end_of_a_line_is_kept() -> None:
    disk = FakeDisk()
    journal = EventJournal(PATH, disk=disk)
    for one in (event(1), event(2, note="a\u2028b\x85c\u2029d")):
        journal.append(one)
    spacious = disk.files[PATH].replace(b'","', b'", "')
    disk = FakeDisk({PATH: spacious})
    assert convert(PATH, disk=disk).changed == 2
    assert EventJournal(PATH, disk=disk).read_events() == [event(1), event(2, note="a\u2028b\x85c\u2029d")]


def test_a_last_line_without_its_newline_gets_one() -> None:
    disk = FakeDisk({PATH: spaced(3)[:-1]})
    convert(PATH, disk=disk)
    assert disk.files[PATH] == content(3)


def test_a_torn_tail_is_carried_over_for_the_repair() -> None:
    old = spaced(3)[:-30]
    tail = old.split(b"\n")[-1]
    disk = FakeDisk({PATH: old})
    assert convert(PATH, disk=disk) == Conversion(PATH, KEPT, 2, 2, len(tail))
    assert disk.files[PATH] == content(2) + tail
    journal = EventJournal(PATH, disk=disk)
    with pytest.raises(TornTail):
        journal.read_events()
    journal.repair()
    assert journal.read_events() == events(2)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b"feature 2", b"feature 7", "journal record hash mismatch at line 2"),
        (b'"sequence": 3', b'"sequence": 4', "journal record hash mismatch at line 3"),
        (b'"record_hash"', b'"recorded"', "journal record hash mismatch at line 1"),
        (b'"run_id": "run-1"', b'"run_id": "run-1", "run_id": "run-1"', "at line 1"),
    ],
)
def test_a_line_that_does_not_verify_stops_it_before_anything_is_written(
    old: bytes, new: bytes, words: str
) -> None:
    disk = FakeDisk({PATH: spaced(3).replace(old, new, 1)})
    with pytest.raises(DamagedRecord, match=words):
        convert(PATH, disk=disk)
    assert disk.operations == []


def test_a_missing_line_stops_it() -> None:
    lines = spaced(3).splitlines(keepends=True)
    with pytest.raises(DamagedRecord, match="journal hash chain broken at line 2"):
        convert(PATH, disk=FakeDisk({PATH: lines[0] + lines[2]}))


def test_a_hash_over_other_bytes_than_canonical_ones_stops_it() -> None:
    line, _ = link(canonical(event(1).model_dump(mode="json")).replace(b":", b": "), GENESIS)
    disk = FakeDisk({PATH: line + b"\n"})
    with pytest.raises(LogError):
        convert(PATH, disk=disk)
    assert disk.operations == []


def test_a_journal_that_does_not_exist_is_told_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(InvalidValue, match="there is no journal to convert"):
        convert(tmp_path / "none.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_another_file_of_the_name_for_the_old_bytes_is_kept_too() -> None:
    disk = FakeDisk({PATH: spaced(3), KEPT: b"older"})
    kept = convert(PATH, disk=disk).kept
    assert kept is not None
    assert kept.name == "run-1.jsonl.before-convert.2"
    assert disk.files == {PATH: content(3), KEPT: b"older", kept: spaced(3)}


def test_a_power_cut_leaves_the_old_journal_or_the_new_one_and_the_next_conversion_finishes() -> None:
    sound = FakeDisk({PATH: spaced(2)})
    convert(PATH, disk=sound)
    for step in range(1, len(sound.operations) + 1):
        disk = FakeDisk({PATH: spaced(2)}, fail={step: PowerCut()})
        with pytest.raises(PowerCut):
            convert(PATH, disk=disk)
        for left in disk.states_after_cut(len(disk.operations)):
            assert left[PATH] in (spaced(2), content(2))
            assert left[PATH] == spaced(2) or left[KEPT] == spaced(2)
            after = FakeDisk(left)
            convert(PATH, disk=after)
            assert (after.files[PATH], after.files[KEPT]) == (content(2), spaced(2))
