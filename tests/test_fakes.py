"""The fake disk loses what a real one may lose, and nothing else; the fake clock moves when it is told to."""

from __future__ import annotations

import errno
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from forge.errors import InvalidValue, StorageError
from forge.fakes import FakeClock, FakeDisk, PowerCut

LOG, OTHER = Path("/work/journal.jsonl"), Path("/work/other")


def after_cut(disk: FakeDisk) -> list[bytes | None]:
    """What the log may hold when the power goes now."""
    return [left.get(LOG) for left in disk.states_after_cut(len(disk.operations))]


# What a power cut may leave.


def test_a_write_that_was_not_synced_is_kept_lost_cut_at_any_byte_or_zeros() -> None:
    disk = FakeDisk({LOG: b"old "})
    disk.append(LOG, b"new")

    assert set(after_cut(disk)) == {b"old ", b"old n", b"old ne", b"old new", b"old \0\0\0"}


def test_a_synced_write_is_kept() -> None:
    disk = FakeDisk({LOG: b"old "})
    disk.append(LOG, b"new")
    disk.sync(LOG)

    assert after_cut(disk) == [b"old new"]


def test_of_two_writes_the_first_may_be_lost_and_leave_a_hole() -> None:
    disk = FakeDisk({LOG: b"old "})
    disk.append(LOG, b"ab")
    disk.append(LOG, b"cd")

    found = after_cut(disk)

    assert b"old \0\0cd" in found
    assert b"old abc" in found
    assert b"old a" in found
    assert b"old acd" not in found


def test_a_cut_of_the_file_that_was_not_synced_may_be_undone() -> None:
    disk = FakeDisk({LOG: b"whole and torn"})
    disk.truncate(LOG, 5)

    assert set(after_cut(disk)) == {b"whole", b"whole and torn"}


def test_a_new_file_is_lost_until_its_folder_is_synced() -> None:
    disk = FakeDisk()
    disk.create(LOG, b"new")
    disk.sync(LOG)
    assert set(after_cut(disk)) == {None, b"new"}

    disk.sync_folder(LOG.parent)
    assert after_cut(disk) == [b"new"]


def test_syncing_another_folder_keeps_nothing() -> None:
    disk = FakeDisk()
    disk.create(LOG, b"new")
    disk.sync_folder(Path("/elsewhere"))

    assert None in after_cut(disk)


def test_a_rename_is_done_or_not_until_its_folder_is_synced() -> None:
    disk = FakeDisk({LOG: b"old", OTHER: b"new"})
    disk.rename(OTHER, LOG)

    states = list(disk.states_after_cut(1))

    assert states == [{LOG: b"old", OTHER: b"new"}, {LOG: b"new"}]


def test_a_removed_file_may_come_back() -> None:
    disk = FakeDisk({LOG: b"old"})
    disk.remove(LOG)

    assert set(after_cut(disk)) == {b"old", None}


def test_a_cut_before_the_first_operation_leaves_what_was_there() -> None:
    disk = FakeDisk({LOG: b"old"})
    disk.append(LOG, b"new")

    assert list(disk.states_after_cut(0)) == [{LOG: b"old"}]


def test_an_earlier_cut_can_be_asked_for_afterwards() -> None:
    disk = FakeDisk({LOG: b""})
    disk.append(LOG, b"a")
    disk.sync(LOG)
    disk.append(LOG, b"b")
    disk.sync(LOG)

    assert [left[LOG] for left in disk.states_after_cut(2)] == [b"a"]
    assert [left[LOG] for left in disk.states_after_cut(3)] == [b"a", b"ab", b"a\0"]


def test_states_are_made_when_they_are_asked_for() -> None:
    disk = FakeDisk({LOG: b""})
    for _ in range(100):
        disk.append(LOG, b"x" * 10_000)

    states = disk.states_after_cut(100)

    assert next(states) == {LOG: b""}
    assert next(states) == {LOG: b"x" * 10_000}


def test_each_state_is_a_disk_to_restart_from() -> None:
    disk = FakeDisk({LOG: b"old "})
    disk.append(LOG, b"new")

    for left in disk.states_after_cut(1):
        restarted = FakeDisk(left)
        assert list(restarted.states_after_cut(0)) == [left]


def test_two_files_that_were_not_synced_are_cut_independently() -> None:
    disk = FakeDisk({LOG: b"", OTHER: b""})
    disk.append(LOG, b"ab")
    disk.append(OTHER, b"cd")

    found = {(left[LOG], left[OTHER]) for left in disk.states_after_cut(2)}

    assert {(b"", b""), (b"ab", b""), (b"", b"cd"), (b"ab", b"cd"), (b"a", b"cd"), (b"ab", b"c")} <= found


# Trouble on demand.


def test_operations_are_kept_with_what_they_did() -> None:
    disk = FakeDisk({LOG: b""})
    disk.append(LOG, b"new")
    disk.rename(LOG, OTHER)
    disk.read(OTHER)

    assert [str(operation) for operation in disk.operations] == [
        "append journal.jsonl (3 bytes)",
        "rename journal.jsonl to other",
    ]


def test_an_operation_that_fails_has_no_effect() -> None:
    disk = FakeDisk({LOG: b"old"}, fail={1: OSError(errno.EROFS, "Read-only file system")})

    with pytest.raises(StorageError, match=r"cannot append /work/journal.jsonl: Read-only file system"):
        disk.append(LOG, b"new")

    assert disk.files == {LOG: b"old"}
    assert str(disk.operations[0]) == "append journal.jsonl (3 bytes): refused"
    assert after_cut(disk) == [b"old"]


def test_a_short_write_stays_and_is_told() -> None:
    disk = FakeDisk({LOG: b"old "}, short={1: 2})

    with pytest.raises(StorageError, match="Make room on the disk"):
        disk.append(LOG, b"new")

    assert disk.files == {LOG: b"old ne"}


def test_nothing_happens_after_a_power_cut() -> None:
    disk = FakeDisk({LOG: b"old"}, fail={1: PowerCut()})

    with pytest.raises(PowerCut):
        disk.append(LOG, b"new")
    with pytest.raises(PowerCut):
        disk.remove(LOG)

    assert disk.files == {LOG: b"old"}
    assert disk.operations == []


def test_a_second_writer_runs_before_the_chosen_operation() -> None:
    disk = FakeDisk({LOG: b""}, before={2: lambda: disk.append(LOG, b"second ")})
    disk.append(LOG, b"first ")
    disk.append(LOG, b"third")

    assert disk.files == {LOG: b"first second third"}


def test_a_second_writer_waits_for_a_lock_that_is_held() -> None:
    def second() -> None:
        with disk.lock(LOG):
            disk.append(LOG, b"second")

    disk = FakeDisk({LOG: b""}, before={1: second})
    with disk.lock(LOG):
        disk.append(LOG, b"first ")
        disk.append(LOG, b"still first ")

    assert disk.files == {LOG: b"first still first second"}


def test_readers_share_a_lock_and_a_writer_waits_for_both() -> None:
    disk = FakeDisk({LOG: b""})

    with (
        disk.lock(LOG, shared=True),
        disk.lock(LOG, shared=True),
        pytest.raises(BlockingIOError),
        disk.lock(LOG, wait=False),
    ):
        pass
    with disk.lock(LOG, wait=False):
        pass


# The clock.


def test_the_clock_stands_still_until_it_is_advanced() -> None:
    clock = FakeClock(datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC))

    assert clock() == clock()
    assert clock.advance(timedelta(seconds=1)) == datetime(2027, 1, 1, tzinfo=UTC) == clock()


def test_the_clock_keeps_its_offset() -> None:
    start = datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=8)))

    assert FakeClock(start)().utcoffset() == timedelta(hours=8)


def test_a_clock_without_an_offset_is_refused() -> None:
    with pytest.raises(
        InvalidValue, match=r"FakeClock.start was refused: expected a time with its UTC offset"
    ):
        FakeClock(datetime(2026, 1, 1))


def test_a_clock_never_goes_back() -> None:
    with pytest.raises(InvalidValue, match=r"FakeClock.advance was refused"):
        FakeClock().advance(timedelta(seconds=-1))
