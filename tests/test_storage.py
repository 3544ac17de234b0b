"""Writing that survives: the two disks keep one contract, and a replacement is old or new, never between."""

from __future__ import annotations

import errno
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from forge.errors import StorageError
from forge.fakes import FakeDisk, PowerCut
from forge.storage import REAL_DISK, Disk, RealDisk, atomic_replace, durable_append

OLD, NEW = b"the old content", b"the new content, which is longer"
CHECKPOINT = Path("/work/checkpoint.json")


@pytest.fixture(params=["real", "fake"])
def disk(request: pytest.FixtureRequest) -> Disk:
    return RealDisk() if request.param == "real" else FakeDisk()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file"


# The contract that both disks keep.


def test_a_file_that_is_created_can_be_read_in_pieces(disk: Disk, path: Path) -> None:
    disk.create(path, b"0123456789")

    assert disk.read(path) == b"0123456789"
    assert disk.read(path, 4) == b"456789"
    assert disk.read(path, 4, 3) == b"456"
    assert disk.read(path, 8, 100) == b"89"
    assert disk.read(path, 100) == b""
    assert disk.size(path) == 10


def test_creating_never_touches_a_file_that_exists(disk: Disk, path: Path) -> None:
    disk.create(path, b"first")

    with pytest.raises(FileExistsError):
        disk.create(path, b"second")

    assert disk.read(path) == b"first"


def test_appending_makes_a_missing_file_and_adds_to_one_that_is_there(disk: Disk, path: Path) -> None:
    assert disk.size(path) is None

    disk.append(path, b"one ")
    disk.append(path, b"two")

    assert disk.read(path) == b"one two"


def test_truncating_keeps_the_beginning(disk: Disk, path: Path) -> None:
    disk.create(path, b"keep, and cut")
    disk.truncate(path, 4)
    disk.sync(path)

    assert disk.read(path) == b"keep"


def test_renaming_replaces_what_had_the_name(disk: Disk, path: Path) -> None:
    new = path.with_name("new")
    disk.create(path, b"old")
    disk.create(new, b"new")

    disk.rename(new, path)
    disk.sync_folder(path.parent)

    assert disk.read(path) == b"new"
    assert disk.list(path.parent) == ["file"]


def test_a_folder_lists_its_names_in_order(disk: Disk, path: Path) -> None:
    for name in ("b", "c", "a"):
        disk.create(path.with_name(name), b"")
    disk.remove(path.with_name("c"))

    assert disk.list(path.parent) == ["a", "b"]


@pytest.mark.parametrize("operation", ["read", "sync", "remove"])
def test_a_missing_file_is_reported_as_missing(disk: Disk, path: Path, operation: str) -> None:
    with pytest.raises(FileNotFoundError):
        getattr(disk, operation)(path)


def test_waiting_for_the_lock_of_a_missing_file_makes_it_empty(disk: Disk, path: Path) -> None:
    with disk.lock(path):
        assert disk.read(path) == b""


@pytest.mark.parametrize("how", [{"shared": True}, {"wait": False}])
def test_asking_for_a_lock_in_passing_makes_no_file(disk: Disk, path: Path, how: dict[str, bool]) -> None:
    with pytest.raises(FileNotFoundError), disk.lock(path, **how):
        pass

    assert disk.size(path) is None


def test_a_file_can_be_worked_on_while_its_lock_is_held(disk: Disk, path: Path) -> None:
    with disk.lock(path):
        disk.append(path, b"0123")
        disk.append(path, b"4567")
        disk.truncate(path, 6)
        disk.sync(path)
        with pytest.raises(FileExistsError):
            disk.create(path, b"another")

        assert disk.size(path) == 6
        assert disk.read(path, 2) == b"2345"


def test_a_thread_that_asks_twice_for_one_lock_is_told(disk: Disk, path: Path) -> None:
    with disk.lock(path), pytest.raises(StorageError, match="the lock is already held"), disk.lock(path):
        pass


# The real disk says what went wrong.


def test_a_full_disk_is_told_with_the_path_and_what_to_do() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("not run: /dev/full exists on Linux only")

    with pytest.raises(StorageError) as refused:
        REAL_DISK.append(full, b"one byte too many")

    assert str(refused.value).startswith("the disk refused: cannot append to /dev/full: ")
    assert str(refused.value).endswith("Make room on the disk, then do it again.")
    assert refused.value.errno == errno.ENOSPC
    assert refused.value.evidence["operation"] == "append to"


def test_a_folder_where_a_file_should_be_is_told(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=f"the disk refused: cannot read {tmp_path}"):
        REAL_DISK.read(tmp_path)


def test_folders_are_made_with_those_above_them(tmp_path: Path) -> None:
    REAL_DISK.make_folder(tmp_path / "a" / "b")
    REAL_DISK.make_folder(tmp_path / "a" / "b")

    assert (tmp_path / "a" / "b").is_dir()


@contextmanager
def at_most_100_bytes() -> Iterator[None]:
    """No file grows beyond that. Around a few statements only: what pytest prints may go to a file too."""
    resource = pytest.importorskip("resource", reason="not run: needs limits on the size of files")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_write_that_does_not_fit_is_taken_back(path: Path) -> None:
    durable_append(path, b"a" * 60)

    with at_most_100_bytes(), pytest.raises(StorageError) as refused:
        durable_append(path, b"b" * 60)

    assert "only 40 of 60 bytes fitted" in str(refused.value)
    assert path.read_bytes() == b"a" * 60


def test_a_replacement_that_does_not_fit_leaves_the_old_file_alone(path: Path) -> None:
    atomic_replace(path, OLD)

    with at_most_100_bytes(), pytest.raises(StorageError):
        atomic_replace(path, b"n" * 101)

    assert path.read_bytes() == OLD
    assert REAL_DISK.list(path.parent) == ["file"]


# Replacing a file.


def test_a_replaced_file_holds_the_new_bytes_and_has_nothing_beside_it(disk: Disk, path: Path) -> None:
    disk.make_folder(path.parent)
    atomic_replace(path, OLD, disk=disk)
    atomic_replace(path, NEW, disk=disk)

    assert disk.read(path) == NEW
    assert disk.list(path.parent) == ["file"]


def test_a_replacement_makes_the_folder_it_needs(tmp_path: Path) -> None:
    atomic_replace(tmp_path / "evidence" / "verification.json", NEW)

    assert (tmp_path / "evidence" / "verification.json").read_bytes() == NEW


def replacement(**trouble: object) -> FakeDisk:
    return FakeDisk({CHECKPOINT: OLD}, **trouble)  # type: ignore[arg-type]


def steps_of_a_replacement() -> list[str]:
    disk = replacement()
    atomic_replace(CHECKPOINT, NEW, disk=disk)
    return [operation.name for operation in disk.operations]


@pytest.mark.parametrize("step", range(1, len(steps_of_a_replacement()) + 1))
@pytest.mark.parametrize("error", [OSError(errno.EIO, "the device failed"), KeyboardInterrupt()])
def test_a_replacement_that_fails_at_any_step_is_old_or_new_without_litter(
    step: int, error: BaseException
) -> None:
    disk = replacement(fail={step: error})

    with pytest.raises((StorageError, KeyboardInterrupt)):
        atomic_replace(CHECKPOINT, NEW, disk=disk)

    assert disk.files in ({CHECKPOINT: OLD}, {CHECKPOINT: NEW})


def test_a_full_disk_leaves_the_old_file_and_no_litter() -> None:
    step = steps_of_a_replacement().index("append") + 1
    for size in range(len(NEW)):
        disk = replacement(short={step: size})
        with pytest.raises(StorageError, match="Make room on the disk"):
            atomic_replace(CHECKPOINT, NEW, disk=disk)
        assert disk.files == {CHECKPOINT: OLD}


@pytest.mark.parametrize("before", [{}, {CHECKPOINT: OLD}], ids=["no old file", "an old file"])
def test_a_power_cut_leaves_the_old_file_or_the_new_one_whole(before: dict[Path, bytes]) -> None:
    disk = FakeDisk(before)
    atomic_replace(CHECKPOINT, NEW, disk=disk)
    tried = 0

    for step in range(len(disk.operations) + 1):
        for left in disk.states_after_cut(step):
            tried += 1
            restarted = FakeDisk(left)
            assert left.get(CHECKPOINT) in (before.get(CHECKPOINT), NEW)
            if step == len(disk.operations):
                assert left == {CHECKPOINT: NEW}
            atomic_replace(CHECKPOINT, NEW, disk=restarted)
            assert restarted.files == {CHECKPOINT: NEW}, "the next replacement clears up"

    print(f"{tried} contents after a power cut")
    assert tried > 30


def test_the_sweep_catches_a_writer_that_renames_without_syncing() -> None:
    disk = FakeDisk({CHECKPOINT: OLD})
    new = CHECKPOINT.with_name("checkpoint.json.tmp")
    disk.create(new, NEW)
    disk.rename(new, CHECKPOINT)
    disk.sync_folder(CHECKPOINT.parent)

    found = {left[CHECKPOINT] for left in disk.states_after_cut(3)}

    assert bytes(len(NEW)) in found, "right size, all zeros"
    assert b"" in found
    assert NEW[:7] in found


def test_a_writer_that_died_leaves_litter_that_the_next_one_removes(path: Path) -> None:
    left = path.with_name(f".{path.name}.0123456789abcdef.tmp")
    left.write_bytes(b"half a file")
    mine = path.with_name(f".{path.name}.notes.tmp")
    mine.write_bytes(b"a name that only looks like it")

    atomic_replace(path, NEW)

    assert not left.exists()
    assert mine.exists()


def test_a_writer_at_work_keeps_its_temporary_file(path: Path) -> None:
    at_work = path.with_name(f".{path.name}.0123456789abcdef.tmp")
    at_work.write_bytes(b"half a file")

    with REAL_DISK.lock(at_work):
        atomic_replace(path, NEW)
        assert at_work.exists()


def test_writers_of_one_file_at_once_leave_one_whole_file(path: Path) -> None:
    contents = [bytes([ord("a") + number]) * 10_000 for number in range(4)]
    errors: list[BaseException] = []

    def save(content: bytes) -> None:
        try:
            for _ in range(15):
                atomic_replace(path, content)
                assert path.read_bytes() in contents
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=save, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert not errors
    assert path.read_bytes() in contents
    assert REAL_DISK.list(path.parent) == ["file"]


# Adding to a file.


def test_an_append_is_whole_or_absent_after_a_failure_at_any_step() -> None:
    sound = FakeDisk({CHECKPOINT: OLD})
    durable_append(CHECKPOINT, NEW, disk=sound)

    for step in range(1, len(sound.operations) + 1):
        disk = FakeDisk({CHECKPOINT: OLD}, fail={step: OSError(errno.EIO, "the device failed")})
        with pytest.raises(StorageError):
            durable_append(CHECKPOINT, NEW, disk=disk)
        assert disk.files == {CHECKPOINT: OLD}


def test_an_append_that_returned_survives_every_power_cut() -> None:
    disk = FakeDisk()
    durable_append(CHECKPOINT, NEW, disk=disk)

    assert list(disk.states_after_cut(len(disk.operations))) == [{CHECKPOINT: NEW}]
    for step in range(len(disk.operations)):
        for left in disk.states_after_cut(step):
            found = left.get(CHECKPOINT, b"")
            assert NEW.startswith(found) or found == bytes(len(NEW))


def test_a_machine_without_power_does_nothing_more() -> None:
    disk = FakeDisk({CHECKPOINT: OLD}, fail={3: PowerCut()})

    with pytest.raises(PowerCut):
        atomic_replace(CHECKPOINT, NEW, disk=disk)

    assert len(disk.operations) == 2
