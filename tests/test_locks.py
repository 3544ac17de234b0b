"""One holder at a time: between threads, between processes, and after a holder died."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from forge import locks
from forge.storage import REAL_DISK

HOLDER = """
import sys
from pathlib import Path
from forge.storage import REAL_DISK
with REAL_DISK.lock(Path(sys.argv[1]), shared=sys.argv[2] == "shared"):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(path: Path, how: str = "alone") -> subprocess.Popen[str]:
    """Another process that holds the lock until its input ends."""
    child = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path), how],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    return child


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "journal.jsonl").write_bytes(b"")
    return tmp_path / "journal.jsonl"


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.001)


def test_a_lock_held_by_another_process_is_not_given(path: Path) -> None:
    with holder(path) as child:
        with pytest.raises(BlockingIOError), REAL_DISK.lock(path, wait=False):
            pass
        child.communicate("")

    with REAL_DISK.lock(path, wait=False):
        pass


def test_a_lock_is_free_when_its_holder_was_killed(path: Path) -> None:
    with holder(path) as child:
        child.kill()
        child.wait()

    with REAL_DISK.lock(path, wait=False):
        pass


def test_readers_of_two_processes_hold_it_together_and_keep_writers_out(path: Path) -> None:
    with holder(path, "shared") as child:
        with REAL_DISK.lock(path, shared=True):
            pass
        with pytest.raises(BlockingIOError), REAL_DISK.lock(path, wait=False):
            pass
        child.communicate("")


def test_threads_take_turns(path: Path) -> None:
    inside: list[int] = []
    most = 0

    def work() -> None:
        nonlocal most
        for _ in range(50):
            with REAL_DISK.lock(path):
                inside.append(1)
                most = max(most, len(inside))
                time.sleep(0)
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert most == 1


def test_who_waited_for_a_file_that_was_replaced_holds_the_new_file(path: Path) -> None:
    new = path.with_name("new")
    new.write_bytes(b"new")
    seen: list[bytes] = []
    waits = threading.Event()

    def wait() -> None:
        waits.set()
        with REAL_DISK.lock(path):
            seen.append(REAL_DISK.read(path))

    waiting = threading.Thread(target=wait)
    with holder(path) as child:
        waiting.start()
        waits.wait()
        # It has the file open once it waits for the lock: from then on the name means another file.
        until(lambda: descriptors_of(path) == 1)
        new.replace(path)
        child.communicate("")
    waiting.join()

    assert seen == [b"new"]


def test_who_locks_a_file_again_that_was_replaced_or_removed_meanwhile_holds_the_new_file(path: Path) -> None:
    with REAL_DISK.lock(path):
        REAL_DISK.append(path, b"old")
    path.with_name("new").write_bytes(b"new")
    path.with_name("new").replace(path)
    with REAL_DISK.lock(path):
        assert REAL_DISK.read(path) == b"new"
        REAL_DISK.append(path, b" line")
    assert path.read_bytes() == b"new line"

    path.unlink()
    with pytest.raises(FileNotFoundError), REAL_DISK.lock(path, wait=False):
        pass
    with REAL_DISK.lock(path):
        assert REAL_DISK.read(path) == b""


def test_a_lock_leaves_one_file_open_at_most_and_none_that_was_renamed_or_removed(path: Path) -> None:
    def work() -> None:
        for number in range(5):
            with REAL_DISK.lock(path.with_name(f"log-{number}")):
                pass

    work()
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert [descriptors_of(path.with_name(f"log-{number}")) for number in range(5)] == [0, 0, 0, 0, 1]

    with REAL_DISK.lock(path):
        REAL_DISK.rename(path, path.with_name("renamed"))
    assert descriptors_of(path.with_name("renamed")) == 0
    with REAL_DISK.lock(path):
        REAL_DISK.remove(path)
    assert descriptors_of(Path(f"{path} (deleted)")) == 0


def descriptors_of(path: Path) -> int:
    folder = Path("/proc/self/fd")
    if not folder.exists():
        pytest.skip("not run: needs /proc")
    return sum(os.path.realpath(descriptor) == os.path.realpath(path) for descriptor in folder.iterdir())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="not run: needs fork")
def test_a_forked_child_does_not_wait_for_threads_it_does_not_have(path: Path) -> None:
    held, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with REAL_DISK.lock(path):
            held.set()
            let_go.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # forking beside threads is what is tried here
        child = os.fork()
    if child == 0:
        signal.alarm(20)
        with REAL_DISK.lock(path):
            os._exit(0)
    let_go.set()
    thread.join()

    assert os.waitpid(child, 0)[1] == 0


class FakeMsvcrt:
    """What `msvcrt` does on Windows, as far as forge uses it: it refuses at once, and closing lets go."""

    LK_NBLCK = 2

    @staticmethod
    def locking(descriptor: int, mode: int, size: int) -> None:
        assert (mode, size) == (FakeMsvcrt.LK_NBLCK, 1)
        fcntl = pytest.importorskip("fcntl", reason="not run: stands for Windows on other systems")
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_without_flock_a_stand_in_is_locked_and_the_file_is_worked_on(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "fcntl", None)
    monkeypatch.setattr(locks, "msvcrt", FakeMsvcrt())
    monkeypatch.setattr(locks.tempfile, "gettempdir", lambda: str(path.parent / "temp"))
    (path.parent / "temp").mkdir()

    with REAL_DISK.lock(path):
        REAL_DISK.append(path, b"a record")
        with pytest.raises(BlockingIOError):
            locks.acquire(path, shared=False, wait=False)
        other = locks.acquire(path.with_name("other"), shared=False, wait=False)
        assert other is not None
        locks.unlock(other)
        os.close(other)
    with REAL_DISK.lock(path, wait=False):
        assert REAL_DISK.read(path) == b"a record"

    assert len(list((path.parent / "temp" / "forge-locks").iterdir())) == 2


def test_where_no_other_process_can_be_only_threads_are_locked_out(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "fcntl", None)
    monkeypatch.setattr(locks, "msvcrt", None)

    with REAL_DISK.lock(path), pytest.raises(BlockingIOError), REAL_DISK.lock(path, wait=False):
        pass
    with REAL_DISK.lock(path, wait=False):
        REAL_DISK.append(path, b"a record")

    assert path.read_bytes() == b"a record"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="not run: needs fork")
def test_a_forked_child_has_a_lock_of_its_own_on_a_file_its_parent_locked_before(path: Path) -> None:
    with REAL_DISK.lock(path):
        pass
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        with REAL_DISK.lock(path):
            os.write(tell, b"held")
            time.sleep(20)
    os.read(told, 4)

    with pytest.raises(BlockingIOError), REAL_DISK.lock(path, wait=False):
        pass
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with REAL_DISK.lock(path, wait=False):
        pass
