"""Grading on a Dask cluster: a real scheduler and real workers, of which one is killed."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forge.grading import executors
from forge.grading.batch import grade_folder
from forge.grading.errors import GradingRefused
from forge.grading.grader import Job, grade_sent

from ..tools import require_tool
from .stage_one import STEM, answering, solved

pytestmark = pytest.mark.slow

LEARNERS = tuple("abcde")
WRONG = '@stage.repair("sequence_gap")\ndef apply_event(state, event):\n    return state\n'


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Start a program of Dask; all of them end with the test."""
    found: list[subprocess.Popen[bytes]] = []

    def start(*words: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "FORGE_NOTES": str(tmp_path / "notes")}
        with (tmp_path / "dask.log").open("ab") as log:
            command = [sys.executable, "-m", "dask", *words]
            process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        found.append(process)
        return process

    yield start
    for process in found:
        process.kill()
        process.wait()


def until(holds: Callable[[], bool], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def notes(folder: Path) -> list[tuple[str, str, int]]:
    path = folder / "notes"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [(what, learner, int(pid)) for what, learner, pid in map(str.split, lines)]


def test_a_worker_killed_half_way_loses_no_submission_and_none_is_judged_twice(
    tmp_path: Path, started: Callable[..., subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    require_tool("bwrap")
    (tmp_path / "in").mkdir()
    for learner in LEARNERS:
        notebook = answering({"sequence_gap": WRONG}, solved()) if learner in "bd" else solved()
        (tmp_path / "in" / f"{learner}__{STEM}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    found = tmp_path / "scheduler.json"
    started("scheduler", "--host=127.0.0.1", "--port=0", "--no-dashboard", f"--scheduler-file={found}")
    until(lambda: found.exists() and bool(found.read_text()))
    address = json.loads(found.read_text())["address"]

    monkeypatch.setattr(executors, "_WORKER", 1)
    with pytest.raises(GradingRefused, match="the scheduler has no worker"):
        grade_folder(tmp_path / "in", tmp_path / "out", cluster=address)
    monkeypatch.undo()

    options = ("--no-nanny", "--nthreads=1", "--no-dashboard", f"--local-directory={tmp_path}")
    preload = f"--preload={Path(__file__).with_name('noting_worker.py')}"
    workers = [started("worker", address, *options, preload) for _ in range(2)]
    told: list[tuple[int, int]] = []

    def tell(done: int, total: int) -> None:
        told.append((done, total))
        if done == len(LEARNERS) // 2:
            until(lambda: any(busy(tmp_path, worker.pid) for worker in workers))
            victim = next(worker for worker in workers if busy(tmp_path, worker.pid))
            victim.kill()
            victim.wait()

    graded = grade_folder(tmp_path / "in", tmp_path / "out", cluster=address, tell=tell)

    [killed] = [worker.pid for worker in workers if worker.poll() is not None]
    assert {pid for _, _, pid in notes(tmp_path)} == {worker.pid for worker in workers}
    assert graded.complete
    assert told == [(done, len(LEARNERS)) for done in range(len(LEARNERS) + 1)]
    ends = [learner for what, learner, pid in notes(tmp_path) if what == "ends" and pid != killed]
    assert len(ends) == len(set(ends)), "a submission was judged twice"

    (tmp_path / "alone").mkdir()
    (tmp_path / "alone" / ".secret").write_bytes((tmp_path / "out" / ".secret").read_bytes())
    grade_folder(tmp_path / "in", tmp_path / "alone", jobs=2)
    for name in ("gradebook.csv", "files.csv", "class.html", *(f"results/{x}/{STEM}.json" for x in LEARNERS)):
        assert (tmp_path / "alone" / name).read_bytes() == (tmp_path / "out" / name).read_bytes(), name


def busy(folder: Path, pid: int) -> bool:
    """Whether a worker has begun a submission that it has not ended."""
    mine = [what for what, _, one in notes(folder) if one == pid]
    return mine.count("begins") > mine.count("ends")


def test_without_the_extra_the_cluster_is_refused_and_the_extra_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(GradingRefused, match=r"needs the extra `cluster`: .*forge-workbook\[cluster\]"),
        executors.cluster("tcp://127.0.0.1:1"),
    ):
        pass


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:{port}", "no address", "http://127.0.0.1:{port}"])
def test_a_scheduler_that_does_not_answer_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "_ANSWER", 1)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (
        pytest.raises(GradingRefused, match=r"no scheduler answers: .*dask scheduler"),
        executors.cluster(address.format(port=port)),
    ):
        pass


def test_a_worker_with_another_edition_of_the_course_judges_nothing(tmp_path: Path) -> None:
    job = Job("ada", STEM, tmp_path / "x.ipynb", tmp_path, "secret", True, data=b"", probes="another")
    found = grade_sent(job)
    assert "is another edition" in found.reason
    assert not found.judged
