from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from forge.course.checking.substitute import substitute
from forge.course.progress import (
    LearningEvent,
    LearningKind,
    ProgressLog,
    SelfCheck,
    StageProgress,
    apply_learning,
)
from forge.course.workspace import MARKER, Workspace, find
from forge.log import ChainLog

STAGE = "01_state_and_events"


def learned(kind: LearningKind, item: str = "", **data: object) -> LearningEvent:
    return LearningEvent(kind=kind, stage=STAGE, item=item, data=dict(data))


def after(*events: LearningEvent) -> StageProgress:
    progress: dict[str, StageProgress] = {}
    for event in events:
        progress = apply_learning(progress, event)
    return progress.get(STAGE, StageProgress())


OPENED = learned(LearningKind.STAGE_OPENED, working_copy=False)
COPY = learned(LearningKind.STAGE_OPENED, working_copy=True)
UNPACKED = learned(LearningKind.LAB_UNPACKED)
READ = learned(LearningKind.RESULTS_READ)
PASSED = learned(LearningKind.SELF_CHECK_PASSED)
FAILED = learned(LearningKind.SELF_CHECK_FAILED)


@pytest.mark.parametrize(
    ("events", "state"),
    [
        ([], SelfCheck.NOT_STARTED),
        ([OPENED], SelfCheck.READING),
        ([OPENED, UNPACKED], SelfCheck.LAB_DOWNLOADED),
        ([COPY], SelfCheck.LAB_DOWNLOADED),
        ([COPY, READ], SelfCheck.RESULTS_READ),
        ([COPY, READ, PASSED], SelfCheck.PASSED),
        ([COPY, READ, PASSED, FAILED], SelfCheck.RESULTS_READ),
        ([COPY, READ, PASSED, OPENED], SelfCheck.PASSED),
    ],
)
def test_a_stage_is_in_one_of_the_five_states_of_the_self_check(
    events: list[LearningEvent], state: SelfCheck
) -> None:
    assert after(*events).status is state


def test_the_first_prediction_is_the_one_that_counts() -> None:
    made = [learned(LearningKind.PREDICTION_MADE, choice=letter) for letter in "ab"]
    assert after(*made).prediction == "a"


def test_hints_stay_open_whatever_order_their_events_come_in() -> None:
    opened = [learned(LearningKind.HINT_OPENED, "gap", number=number) for number in (1, 2, 1)]
    assert after(*opened).hints == {"gap": 2}


def test_progress_is_read_back_by_another_notebook(tmp_path: Path) -> None:
    ProgressLog(Workspace(tmp_path, kept=True)).record(COPY)
    assert ProgressLog(Workspace(tmp_path, kept=True)).stage(STAGE).opened


def test_two_notebooks_open_at_once_lose_nothing(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from forge.course.progress import *;"
        "from forge.course.workspace import Workspace;"
        "log = ProgressLog(Workspace(Path(sys.argv[1]), kept=True));"
        "opened = lambda n: LearningEvent(kind='hint_opened', stage='s', item=n, data={'number': 1});"
        "[log.record(opened(f'{sys.argv[2]}-{n}')) for n in range(25)]"
    )
    kernels = [subprocess.Popen([sys.executable, "-c", script, str(tmp_path), str(k)]) for k in range(3)]
    assert [kernel.wait() for kernel in kernels] == [0, 0, 0]
    hints = ProgressLog(Workspace(tmp_path, kept=True)).stage("s").hints
    assert sorted(hints) == sorted(f"{k}-{n}" for k in range(3) for n in range(25))


def test_a_line_cut_by_a_power_cut_is_set_aside_and_work_goes_on(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, kept=True)
    ProgressLog(workspace).record(COPY)
    with workspace.progress.open("ab") as file:
        file.write(b'{"event":{"da')
    log = ProgressLog(workspace)
    assert log.stage(STAGE).opened
    log.record(UNPACKED)
    assert (ProgressLog(workspace).stage(STAGE).lab, log.problem) == (True, "")
    assert list(tmp_path.glob("progress.jsonl.torn-*"))


def test_a_damaged_log_is_read_up_to_the_damage_and_never_written(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, kept=True)
    for event in (COPY, UNPACKED, READ):
        ProgressLog(workspace).record(event)
    damaged = workspace.progress.read_bytes().replace(b"lab_unpacked", b"lab_unpickd")
    workspace.progress.write_bytes(damaged)
    log = ProgressLog(workspace)
    assert log.stage(STAGE).status is SelfCheck.LAB_DOWNLOADED
    assert "line 2" in log.problem
    log.record(READ)
    assert workspace.progress.read_bytes() == damaged


def test_a_hint_that_opens_during_a_check_waits_until_append_is_whole_again(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, kept=True)
    log = ProgressLog(workspace)
    log.record(COPY)

    def broken(self: ChainLog, event: object, *, expected: int | None = None) -> None:
        self.path.write_bytes(b"ruined")

    callback = threading.Thread(target=lambda: log.record(learned(LearningKind.HINT_OPENED, "gap", number=1)))
    with substitute("forge.log:ChainLog.append", broken):
        callback.start()
        callback.join(timeout=0.3)
        assert callback.is_alive(), "the callback must wait for the end of the check"
    callback.join(timeout=10)
    assert ProgressLog(workspace).stage(STAGE).hints == {"gap": 1}


def test_the_workspace_is_the_nearest_parent_that_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / MARKER).write_text("{}")
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    monkeypatch.setenv("FORGE_WORKSPACE", str(tmp_path / "named"))
    assert find(deep) == Workspace(tmp_path.resolve(), kept=True)


def test_without_a_parent_the_named_folder_is_used_and_without_a_name_a_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORGE_WORKSPACE", str(tmp_path / "named"))
    assert find(tmp_path) == Workspace((tmp_path / "named").resolve(), kept=True)
    monkeypatch.delenv("FORGE_WORKSPACE")
    assert find(tmp_path).kept is False
    assert find(tmp_path).folder == find(tmp_path).folder


def test_while_grading_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / MARKER).write_text("{}")
    monkeypatch.setenv("FORGE_GRADING", "1")
    workspace = find(tmp_path)
    ProgressLog(workspace).record(COPY)
    assert workspace.writable is False
    assert [path.name for path in tmp_path.iterdir()] == [MARKER]
    assert not workspace.progress.exists()


def test_a_learning_event_is_stored_as_one_line_that_people_can_read(tmp_path: Path) -> None:
    ProgressLog(Workspace(tmp_path, kept=True)).record(learned(LearningKind.HINT_OPENED, "gap", number=1))
    (line,) = (tmp_path / "progress.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["event"] == {
        "data": {"number": 1},
        "item": "gap",
        "kind": "hint_opened",
        "stage": STAGE,
    }
