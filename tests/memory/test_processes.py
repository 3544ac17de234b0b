"""Real processes on one store. FORGE_SWEEP=1 runs the full numbers."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from forge.memory import MemoryRecord, MemoryScope, MemoryStore

SWEEP = bool(os.environ.get("FORGE_SWEEP"))
START = datetime(2026, 8, 17, tzinfo=UTC)
RUN, USER = MemoryScope.RUN, MemoryScope.USER

WRITER = """
import sys
from datetime import UTC, datetime, timedelta
from forge.errors import StaleMemory
from forge.memory import MemoryRecord, MemoryStore

path, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
with MemoryStore(path) as store:
    for number in range(count):
        created = datetime(2026, 8, 17, tzinfo=UTC) + timedelta(seconds=number, microseconds=int(name))
        one = MemoryRecord(memory_id=f"{name}-{number}", scope="run", subject_id="r", content="x" * 100,
                           created_at=created)
        store.put(one)
        latest = one.model_copy(update={"memory_id": f"latest-{name}-{number}", "scope": "user", "key": "k"})
        try:
            store.put(latest)
        except StaleMemory:
            pass
        if number % 5 == 4:
            assert store.delete(f"{name}-{number - 4}"), "a deletion was lost"
        print(f"{name}-{number}", flush=True)
"""


def writer(path: Path, name: int, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(path), str(name), str(count)]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def start(child: subprocess.Popen[str]) -> None:
    assert child.stdout is not None
    assert child.stdin is not None
    assert child.stdout.readline() == "ready\n"
    child.stdin.write("\n")
    child.stdin.flush()


def whole(path: Path) -> None:
    with MemoryStore(path) as store:
        assert store.database.read("PRAGMA integrity_check")[0][0] == "ok"


def test_eight_processes_lose_no_write(tmp_path: Path) -> None:
    path, count = tmp_path / "memories.db", 250 if SWEEP else 10
    children = [writer(path, name, count) for name in range(8)]
    for child in children:
        start(child)  # all of them make the file at once
    for child in children:
        _, errors = child.communicate(timeout=600)
        assert child.returncode == 0, errors
    whole(path)
    with MemoryStore(path) as store:
        found = {record.memory_id for record in store.query(RUN, "r")}
        assert found == {
            f"{name}-{number}"
            for name in range(8)
            for number in range(count)
            if number % 5 or number + 4 >= count
        }
        [latest] = store.query(USER, "r")
        assert latest.memory_id == f"latest-7-{count - 1}", "the latest answer must have its key"


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_a_killed_writer_leaves_a_whole_store_with_all_it_acknowledged(tmp_path: Path) -> None:
    path, choose = tmp_path / "memories.db", random.Random(7)
    acknowledged: list[str] = []
    for name in range(50 if SWEEP else 4):
        child = writer(path, name, 100_000)
        start(child)
        assert child.stdout is not None
        done = [child.stdout.readline().strip() for _ in range(choose.randint(1, 12))]
        kill = threading.Timer(choose.random() / 50, child.kill)
        kill.start()
        rest, _ = child.communicate(timeout=60)
        done += [line for line in rest.splitlines(keepends=False) if line.startswith(f"{name}-")]
        acknowledged += [each for number, each in enumerate(done) if number % 5]
        whole(path)
        with MemoryStore(path) as store:
            found = {record.memory_id for record in store.query(RUN, "r")}
            assert set(acknowledged) <= found


def test_threads_with_stores_of_their_own_lose_no_write(tmp_path: Path) -> None:
    path = tmp_path / "memories.db"
    problems: list[Exception] = []

    def work(name: int) -> None:
        try:
            with MemoryStore(path, durable=False) as store:
                for number in range(15):
                    store.put(
                        MemoryRecord(
                            memory_id=f"{name}-{number}",
                            scope=RUN,
                            subject_id="r",
                            content="x",
                            created_at=START,
                        )
                    )
                    assert store.get(f"{name}-{number}", RUN, "r") is not None
        except Exception as error:
            problems.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    with MemoryStore(path) as store:
        assert len(store.query(RUN, "r")) == 60
