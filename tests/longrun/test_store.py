"""The ledger on disk: the old one or the new one, whole, and nothing else is ever taken for one."""

from __future__ import annotations

import errno
import os
import random
import signal
from pathlib import Path

import pytest

from forge.errors import LedgerDamaged, StorageError
from forge.fakes import FakeDisk, PowerCut
from forge.longrun import Ledger, Spent, load_state, save_state, state_file, write_state_temp
from forge.longrun import store as the_store
from tests.replay.runs import exit_code, forked

SWEEP = bool(os.environ.get("FORGE_SWEEP"))
STATE = Path("work/state")


def ledger_of(number: int) -> Ledger:
    """A ledger that is as large as its number, and that no other number has."""
    done = tuple(f"F{n:03}" for n in range(1, number + 1))
    return Ledger(done=done, attempts=dict.fromkeys(done, 1), spent=Spent(windows=number, steps=number))


OLD, NEW = ledger_of(3), ledger_of(4)


def disk_with(ledger: Ledger) -> FakeDisk:
    disk = FakeDisk()
    save_state(STATE, ledger, disk=disk)
    return disk


def test_a_power_cut_at_any_moment_leaves_the_old_ledger_or_the_new_one() -> None:
    files = disk_with(OLD).files
    whole = FakeDisk(files)
    save_state(STATE, NEW, disk=whole)
    seen = set()
    for count in range(1, len(whole.operations) + 1):
        disk = FakeDisk(files, fail={count: PowerCut()})
        with pytest.raises(PowerCut):
            save_state(STATE, NEW, disk=disk)
        for left in disk.states_after_cut(count - 1):
            found = load_state(STATE, disk=FakeDisk(left))
            assert found in (OLD, NEW), f"cut before operation {count}"
            seen.add(found)
    assert {
        load_state(STATE, disk=FakeDisk(left)) for left in whole.states_after_cut(len(whole.operations))
    } == {NEW}, "what was saved is durable"
    assert OLD in seen


def test_a_power_cut_in_the_first_save_leaves_no_ledger_or_the_whole_one() -> None:
    disk = disk_with(NEW)
    for count in range(len(disk.operations) + 1):
        for left in disk.states_after_cut(count):
            assert load_state(STATE, disk=FakeDisk(left)) in (None, NEW)


def test_a_save_that_the_disk_refuses_leaves_the_old_ledger_and_nothing_beside_it() -> None:
    files = disk_with(OLD).files
    whole = FakeDisk(files)
    save_state(STATE, NEW, disk=whole)
    for count, operation in enumerate(whole.operations, start=1):
        disk = FakeDisk(files, fail={count: OSError(errno.EIO, "input/output error")})
        with pytest.raises(StorageError):
            save_state(STATE, NEW, disk=disk)
        late = operation.name == "sync_folder"
        assert load_state(STATE, disk=disk) == (NEW if late else OLD), operation.name
        assert list(disk.files) == [STATE / "run.json"], operation.name


def work(folder: Path, pipe: int) -> None:
    """Save one ledger after another for ever, and tell the number of each once it is saved."""
    held = load_state(folder)
    number = 0 if held is None else held.spent.steps
    while True:
        number += 1
        save_state(folder, ledger_of(number))
        os.write(pipe, f"{number}\n".encode())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="not run: this system has no fork")
def test_a_process_that_is_killed_while_it_saves_leaves_a_whole_ledger_no_older_than_it_said(
    tmp_path: Path,
) -> None:
    chance = random.Random(8)
    for _ in range(200 if SWEEP else 20):
        child, reading = forked(lambda pipe: work(tmp_path, pipe))
        with os.fdopen(reading, "rb") as pipe:
            told = [pipe.readline() for _ in range(chance.randrange(1, 4))]
            for _ in range(chance.randrange(0, 20_000)):  # somewhere inside the next save
                pass
            os.kill(child, signal.SIGKILL)
            told += pipe.readlines()
        assert exit_code(child) == -signal.SIGKILL
        found, last = load_state(tmp_path), int(told[-1])
        assert found in (ledger_of(last), ledger_of(last + 1))
    the_store.remove_temps(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


def test_no_file_is_a_new_night(tmp_path: Path) -> None:
    assert load_state(tmp_path) is None
    assert load_state(tmp_path / "nowhere") is None


WHOLE = the_store.encode(OLD)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"\0" * len(WHOLE), id="nothing but NUL"),
        pytest.param(b"null\n", id="null"),
        pytest.param(b"[]\n", id="a list"),
        pytest.param(WHOLE + WHOLE, id="two ledgers"),
        pytest.param(WHOLE.rstrip(), id="without its newline"),
        pytest.param(WHOLE.replace(b"  ", b" "), id="other spaces"),
        pytest.param(
            WHOLE.replace(b'"current": null', b'"current": null, "current": null'), id="a key twice"
        ),
        pytest.param(WHOLE.replace(b'"steps": 3', b'"steps": "3"'), id="a number as text"),
        pytest.param(WHOLE.replace(b'"steps": 3', b'"steps": 3.0'), id="a fraction"),
        pytest.param(WHOLE.replace(b'"current": null,\n  ', b""), id="a field too few"),
        pytest.param(WHOLE.replace(b'"current"', b'"thoughts": "x",\n  "current"'), id="a field too many"),
        pytest.param(WHOLE.replace(b'"F003": 1', b'"F003": 0'), id="no attempt"),
        pytest.param(b"\xff" + WHOLE, id="no UTF-8"),
    ],
)
def test_what_is_not_one_whole_valid_ledger_is_refused_by_its_name_and_left_alone(
    tmp_path: Path, data: bytes
) -> None:
    path = state_file(tmp_path)
    path.write_bytes(data)
    with pytest.raises(LedgerDamaged) as caught:
        load_state(tmp_path)
    assert str(caught.value).startswith(f"the ledger is damaged: {path}: ")
    assert caught.value.evidence == {"path": str(path)}
    assert path.read_bytes() == data


def test_a_ledger_that_is_cut_at_any_byte_is_refused(tmp_path: Path) -> None:
    for size in range(len(WHOLE)):
        state_file(tmp_path).write_bytes(WHOLE[:size])
        with pytest.raises(LedgerDamaged):
            load_state(tmp_path)


def test_a_name_that_is_taken_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = iter([tmp_path / ".run.json.tmp-1-1", tmp_path / ".run.json.tmp-1-2"])
    monkeypatch.setattr(the_store, "temp_path", lambda _: next(names))
    (tmp_path / ".run.json.tmp-1-1").write_bytes(b"left by another process of that id")
    assert write_state_temp(tmp_path, NEW) == tmp_path / ".run.json.tmp-1-2"
    assert (tmp_path / ".run.json.tmp-1-1").read_bytes() == b"left by another process of that id"


def test_a_temporary_file_is_named_by_process_and_number(tmp_path: Path) -> None:
    first, second = (the_store.temp_path(tmp_path) for _ in range(2))
    head, _, number = first.name.rpartition("-")
    assert head == f".run.json.tmp-{os.getpid()}"
    assert second.name == f"{head}-{int(number) + 1}"


def test_a_new_night_removes_what_a_killed_one_has_left_and_nothing_else(tmp_path: Path) -> None:
    for name in (".run.json.tmp-1-7", "run.json", ".run.json.tmp-mine", "notes.txt"):
        (tmp_path / name).write_bytes(b"")
    the_store.remove_temps(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".run.json.tmp-mine", "notes.txt", "run.json"]


def test_text_of_any_script_reads_back_equal(tmp_path: Path) -> None:
    ledger = Ledger(done=("/über", "頁"), attempts={"頁": 2, "/über": 1})
    save_state(tmp_path, ledger)
    assert load_state(tmp_path) == ledger


def test_equal_ledgers_have_equal_bytes() -> None:
    one, other = Ledger(attempts={"F02": 1, "F01": 1}), Ledger(attempts={"F01": 1, "F02": 1})
    assert one == other
    assert the_store.encode(one) == the_store.encode(other)
