"""Capstone 2: what a state layer promises. Every test is a sentence about it, and so is every failure."""

from __future__ import annotations

import errno
from pathlib import Path

from forge.errors import StorageError
from forge.fakes import FakeDisk
from forge.longrun import (
    FEATURES,
    Change,
    Ledger,
    Night,
    PlainTarget,
    Spent,
    apply_change,
    begun,
    commit_state_temp,
    decide,
    finished,
    load_state,
    opened_window,
    rebuild_context,
    repo_folder,
    run_night,
    save_state,
    state_file,
    state_folder,
    summarize_state,
    take_step,
    task_of,
    window_ledger,
    write_state_temp,
)
from forge.longrun import store as the_store
from forge.longrun.experiments import all_talk, five_windows, rolled_back
from forge.longrun.store import encode
from forge.longrun.summary import PREFACE, RULE

STATE = Path("work/state")
FILE = STATE / "run.json"
TASK = task_of(FEATURES)

OLD = Ledger(done=("F01",), attempts={"F01": 1}, spent=Spent(windows=1, steps=1))
NEW = Ledger(
    done=("F02", "F01"),
    current="F03",
    attempts={"F01": 1, "F02": 3, "F03": 2, "F04": 5},
    spent=Spent(windows=4, steps=11),
)


class OneFileSystem(FakeDisk):
    """A disk on which no file is renamed into another folder: the other one is another file system."""

    def rename(self, source, target):
        if source.parent != target.parent:
            raise StorageError(
                "the disk refused", f"{source.parent} and {target.parent} are two file systems."
            )
        super().rename(source, target)


def night_in(folder, **options):
    return Night(folder, target=PlainTarget(repo_folder(folder)), disk=FakeDisk(), **options)


def disk_with(ledger):
    disk = FakeDisk()
    save_state(STATE, ledger, disk=disk)
    return disk


def loaded(files):
    """What a file of these bytes loads as, in one line, or how it is refused."""
    try:
        ledger = load_state(STATE, disk=FakeDisk(files))
    except NotImplementedError:
        raise
    except Exception as error:
        kinds = [kind.__name__ for kind in type(error).__mro__]
        named = str(FILE) in str(error)
        return (
            "refused by its name" if "ForgeError" in kinds and named else f"{type(error).__name__}: {error}"
        )
    return told(ledger)


def told(ledger):
    if ledger is None:
        return "a new night"
    return {OLD: "the old ledger", NEW: "the new ledger"}.get(ledger, str(ledger))


def ids(decisions):
    return " ".join(f"{act} {feature}" for act, feature in decisions)


def opening(ledger, task=TASK, features=FEATURES):
    return rebuild_context(task, ledger, features)


def next_step(ledger):
    return ids([decide(opening(ledger))])


def test_three_windows_finish_nine_features_and_waste_nothing(tmp_path):
    night = run_night(night_in(tmp_path))
    found = (night.finished, night.wasted)
    assert found == (9, 0), "three windows of three steps must finish 9 features and waste 0 steps"


def test_without_the_layer_the_ledger_is_whole_and_no_window_is_told(tmp_path):
    night = run_night(night_in(tmp_path, with_state=False))
    found = (night.finished, night.wasted)
    assert found == (3, 6), "without the layer, 3 must be finished and 6 wasted"
    assert night.ledger.attempts == {"F01": 3, "F02": 3, "F03": 3}, "every attempt must be in the ledger"
    on_disk = load_state(night.state_dir, disk=night.disk)
    assert on_disk == night.ledger, "the ledger on disk must be whole without the layer as well"


def test_what_was_saved_is_loaded():
    for ledger in (OLD, NEW, Ledger()):
        disk = disk_with(OLD)
        save_state(STATE, ledger, disk=disk)
        assert load_state(STATE, disk=disk) == ledger, "what was saved last must be loaded"
        assert list(disk.files) == [FILE], "a save must leave one file and nothing beside it"


def test_no_file_is_a_new_night():
    assert loaded({}) == "a new night", "without a file there must be no ledger, and no error"


def test_a_damaged_ledger_is_refused_by_its_name():
    whole = encode(OLD)
    damaged = {
        "an empty file": b"",
        "half a file": whole[: len(whole) // 2],
        "a file of NULs": b"\0" * len(whole),
        "a file without its last byte": whole[:-1],
        "two ledgers": whole * 2,
        "a ledger with a field too many": whole.replace(b'"current"', b'"thoughts": "x",\n  "current"'),
        "a ledger with a field too few": whole.replace(b'"current": null,\n  ', b""),
        "a ledger with a feature that was never begun": whole.replace(b'"F01": 1', b'"F02": 1'),
        "a ledger with other spaces": whole.replace(b"  ", b"\t"),
        "null": b"null\n",
    }
    for what, data in damaged.items():
        assert loaded({FILE: data}) == "refused by its name", f"{what} must be refused"


def test_a_refused_disk_is_no_new_night():
    class Failing(FakeDisk):
        def read(self, path, offset=0, size=None):
            raise StorageError(
                "the disk refused", f"cannot read {path}: input/output error.", errno=errno.EIO
            )

    try:
        found = told(load_state(STATE, disk=Failing({FILE: encode(OLD)})))
    except OSError as error:
        found = type(error).__name__
    assert found == "StorageError", "a file that cannot be read must not be a new night"


def test_a_power_cut_leaves_the_old_ledger_or_the_new_one():
    disk = FakeDisk({FILE: encode(OLD)})
    save_state(STATE, NEW, disk=disk)
    for count in range(len(disk.operations) + 1):
        for files in disk.states_after_cut(count):
            found = loaded(files)
            whole = "a whole ledger" if found in ("the old ledger", "the new ledger") else found
            done = disk.operations[count - 1].name if count else "nothing"
            assert whole == "a whole ledger", f"a power cut after {done} must leave a whole ledger"
    for files in disk.states_after_cut(len(disk.operations)):
        assert loaded(files) == "the new ledger", "what was saved must outlive a power cut"


def test_the_temporary_file_lies_beside_the_ledger():
    disk = OneFileSystem({FILE: encode(OLD)})
    try:
        save_state(STATE, NEW, disk=disk)
        found = loaded(disk.files)
    except StorageError as error:
        found = str(error.facts)
    assert found == "the new ledger", "a save must rename within one folder, for it is within one file system"


def test_a_temporary_file_holds_the_ledger_and_is_on_the_device():
    disk = FakeDisk({FILE: encode(OLD)})
    temp = write_state_temp(STATE, NEW, disk=disk)
    assert disk.files.get(temp) == encode(NEW), "the path of a file that holds the ledger must be returned"
    assert disk.files[FILE] == encode(OLD), "the ledger itself must be left alone"
    for files in disk.states_after_cut(len(disk.operations)):
        kept = files.get(temp, encode(NEW))
        assert kept == encode(NEW), "the temporary file must be on the device before it is used"


def test_a_name_that_is_taken_is_left_alone():
    taken = {}

    class Busy(FakeDisk):
        def create(self, path, data):
            if len(taken) < 3:
                taken[path] = b"another writer's"
                super().create(path, taken[path])
            super().create(path, data)

    disk = Busy({FILE: encode(OLD)})
    try:
        temp = write_state_temp(STATE, NEW, disk=disk)
        found = disk.files[temp]
    except FileExistsError:
        found = b"it gave up"
    assert found == encode(NEW), "when a name is taken, the next one must be tried"
    held = [disk.files.get(path) for path in taken]
    assert held == [b"another writer's"] * 3, "a file that exists must be left alone"


def test_a_commit_puts_the_temporary_file_in_the_place_of_the_ledger():
    temp = STATE / ".run.json.tmp-7-1"
    disk = FakeDisk({FILE: encode(OLD), temp: encode(NEW)})
    commit_state_temp(STATE, temp, disk=disk)
    assert disk.files == {FILE: encode(NEW)}, "the temporary file must have become the ledger"
    names = [operation.name for operation in disk.operations if operation.path in (FILE, temp)]
    assert names == ["rename"], "one rename must do it, and nothing else"
    for files in disk.states_after_cut(len(disk.operations)):
        assert files.get(FILE) == encode(NEW), "a commit must outlive a power cut"


def test_temporary_names_are_never_given_twice():
    names = [the_store.temp_path(STATE).name for _ in range(50)]
    assert len(set(names)) == 50, "every temporary file must have a name of its own"


def test_a_save_that_the_disk_refuses_leaves_the_old_ledger_alone():
    whole = FakeDisk({FILE: encode(OLD)})
    save_state(STATE, NEW, disk=whole)
    for number, operation in enumerate(whole.operations, start=1):
        for more in ({}, {number + 1: OSError(errno.EIO, "input/output error")}):
            fail = {number: OSError(errno.EIO, "input/output error"), **more}
            disk = FakeDisk({FILE: encode(OLD)}, fail=fail)
            try:
                save_state(STATE, NEW, disk=disk)
                found = "it was saved"
            except Exception as error:
                found = type(error).__name__
            assert found == "StorageError", f"when {operation.name} is refused, that must be told"
            last = "the new ledger" if operation.name == "sync_folder" else "the old ledger"
            assert loaded(disk.files) == last, (
                f"when {operation.name} is refused, a whole ledger must be left"
            )
            if not more:
                assert list(disk.files) == [FILE], (
                    f"when {operation.name} is refused, nothing must be left beside the ledger"
                )


def test_where_memory_and_disk_disagree_the_disk_wins():
    for held, kept in ((NEW, OLD), (Ledger(), NEW)):
        begins = window_ledger(STATE, held, disk=disk_with(kept))
        found = {kept: "the ledger on disk", held: "the ledger in memory"}.get(begins, str(begins))
        assert found == "the ledger on disk", "a window must begin with what the disk says"
    damaged = FakeDisk({FILE: encode(NEW)[:9]})
    try:
        found = told(window_ledger(STATE, NEW, disk=damaged))
    except ValueError as error:
        found = type(error).__name__
    assert found == "LedgerDamaged", "a ledger that is damaged must stop the window, whatever is in memory"


def test_the_ledger_is_not_rolled_back_with_the_target(tmp_path):
    found = rolled_back(state_folder(tmp_path), PlainTarget(repo_folder(tmp_path)))
    assert found == (3, 3), "after the target went back, the ledger must still know three attempts"


def test_the_ledger_is_in_no_commit_of_the_target(tmp_path):
    target = PlainTarget(repo_folder(tmp_path))
    save_state(state_folder(tmp_path), OLD)
    assert target.status() == "", "the target must see no file of the state layer"


def test_the_ledger_has_a_folder_beside_the_target():
    found = [str(folder(Path("work")).as_posix()) for folder in (repo_folder, state_folder)]
    assert found == ["work/repo", "work/state"], "target and ledger must be two folders side by side"


def test_attempts_add_up_over_the_windows(tmp_path):
    night = five_windows(tmp_path, PlainTarget(repo_folder(tmp_path)))
    found = ids(step.decision for window in night.steps for step in window)
    expected = " ".join(["do F01"] * 5 + ["do F02"])
    assert found == expected, "after five failures in five windows F01 must be left alone"


def test_a_new_window_keeps_everything_that_was_counted():
    found = opened_window(NEW)
    assert found.spent == Spent(windows=5, steps=11), "one window must be counted, and no step"
    assert found.attempts == NEW.attempts, "a new window must keep the attempts"
    assert (found.done, found.current) == (NEW.done, NEW.current), "a new window must change nothing else"


def test_an_attempt_is_counted_when_it_begins():
    found = begun(OLD, "F02")
    assert found.attempts == {"F01": 1, "F02": 1}, "the attempt must be counted"
    assert (found.current, found.spent.steps) == ("F02", 2), "the feature must be current, the step spent"
    assert found.done == ("F01",), "what is begun must not be done"
    ended = apply_change(found, Change(kind="failed", feature="F02"))
    assert ended.attempts == {"F01": 1, "F02": 1}, "an attempt that failed must stay counted"
    assert ended.current is None, "an attempt that failed must have ended"


def test_the_summary_names_what_is_done_in_its_order():
    line = summarize_state(NEW, FEATURES).split("\n")[0]
    assert line == "Done: F02 F01 (2 of 40)", "the first line must name what is done, by id, of how many"
    line = summarize_state(Ledger(), FEATURES).split("\n")[0]
    assert line == "Done: none (0 of 40)", "a night that has done nothing must say so"
    line = summarize_state(OLD, FEATURES[:3]).split("\n")[0]
    assert line == "Done: F01 (1 of 3)", "of how many must be counted in the list that is given"


def test_the_summary_says_what_was_spent():
    text = summarize_state(NEW, FEATURES)
    assert "Spent: 4 windows, 11 steps." in text, "the summary must say what was spent"
    text = summarize_state(OLD, FEATURES)
    assert "Spent: 1 window, 1 step." in text, "one window must be one window"


def test_the_summary_has_one_thing_a_line_and_no_description():
    lines = summarize_state(NEW, FEATURES).split("\n")
    assert lines[-1] == "", "the last line must end with a newline"
    found = [line.split(" ")[0] for line in lines[:-1]]
    expected = ["Done:", "Spent:", "Unknown:", "Tried:", "Tried:"]
    assert sorted(found) == sorted(expected), "one line each must say what is done, spent, unknown and tried"
    plain = [line.split(" ")[0] for line in summarize_state(OLD, FEATURES).split("\n")]
    assert plain == ["Done:", "Spent:", ""], "with nothing in hand and nothing tried, two lines must be all"
    again = summarize_state(begun(OLD, "F01"), FEATURES)
    assert "Unknown" not in again, "what is done must not be called unknown when it is begun again"
    tried = [line for line in lines if line.startswith("Tried:")]
    assert tried == ["Tried: F03 (2 starts)", "Tried: F04 (5 starts)"], "starts must be told by feature"
    begun_once = Ledger(done=("F01",), attempts={"F01": 1, "F02": 1})
    once = summarize_state(begun_once, FEATURES).split("\n")
    assert "Tried: F02 (1 start)" in once, "what was begun once must be told as well"
    told_twice = [feature.text for feature in FEATURES if feature.text in "\n".join(lines)]
    assert told_twice == [], "features must be named by id alone"


def test_what_was_begun_and_has_not_ended_is_verified():
    assert next_step(begun(OLD, "F02")) == "verify F02", "what was begun must be verified first"
    again = begun(OLD, "F01")
    assert next_step(again) == "do F02", "what is done must not become unknown when it is begun again"


def test_what_was_tried_too_often_is_left_alone():
    tired = Ledger(done=("F02",), attempts={"F01": 5, "F02": 5, "F03": 4})
    assert next_step(tired) == "do F03", "five starts must be enough, and four must not"


def test_the_opening_says_that_it_is_no_replay():
    text = opening(OLD).removeprefix(TASK)
    assert "no replay" in text, "the opening must say that it is no replay of a conversation"
    assert "no longer exists" in text, "the opening must say that earlier talk is gone"
    assert "not quote" in text, "the opening must say that earlier talk must not be quoted"


def test_the_opening_is_the_task_then_how_things_stand_then_the_rule():
    text = opening(NEW)
    assert text.startswith(TASK), "the opening must begin with the task, unchanged"
    summary = summarize_state(NEW, FEATURES)
    assert text.count(summary) == 1, "the opening must hold the summary once, as it is"
    before, _, after = text.removeprefix(TASK).partition(summary)
    assert "no replay" in before, "what this is must stand before how things stand"
    assert after.startswith("Next: "), "the rule for the next step must follow how things stand"
    assert before == PREFACE, "nothing must stand between the task and what this is"
    assert after == RULE, "nothing must follow the rule"
    other = opening(OLD, "Task: other\n- a: x\n", FEATURES[:2])
    assert "(1 of 2)" in other, "the opening must be made from the list that is given"
    assert other.startswith("Task: other\n"), "the opening must be made from the task that is given"


def test_summary_and_full_history_lead_to_the_same_decision(tmp_path):
    night = run_night(night_in(tmp_path, succeeds=lambda _, attempt: attempt % 2 == 0), windows=1, steps=1)
    for number in range(12):
        if number == 5:
            night.change("begun", "F04")
            night.windows[-1].say("Started: F04\n")
        found = next_step(night.ledger)
        expected = ids([decide(all_talk(night))])
        assert found == expected, f"after {number + 1} steps both must lead to the same decision"
        take_step(night, night.windows[-1])


def test_a_summary_changes_no_ledger():
    ledger = finished(begun(Ledger(), "F01"), "F01")
    before = encode(ledger)
    opening(ledger)
    assert encode(ledger) == before, "the ledger must be as it was"


def test_a_new_name_is_in_the_folder_of_the_ledger():
    found = the_store.temp_path(STATE).parent
    assert found == state_file(STATE).parent, "a temporary file must lie in the folder of the ledger"
