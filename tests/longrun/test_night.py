"""The night: what is lost without its state layer, and what the layer has to hold so that nothing is."""

from __future__ import annotations

import hashlib
import inspect
import random
import shutil
import sys
from pathlib import Path

import pytest

from forge.course.checking.substitute import substitute
from forge.fakes import FakeDisk
from forge.longrun import (
    FEATURES,
    Decision,
    Feature,
    GitTarget,
    Ledger,
    Night,
    PlainTarget,
    Window,
    begun,
    decide,
    experiments,
    finished,
    load_state,
    model,
    open_window,
    rebuild_context,
    repo_folder,
    run_night,
    save_state,
    state_file,
    state_folder,
    stuck,
    summarize_state,
    take_step,
    task_of,
)
from forge.longrun import summary as the_summary
from forge.longrun.crash import kill_in_mid_step

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="not run: git is missing")
TARGETS = [pytest.param(GitTarget, marks=needs_git), PlainTarget]
TASK = task_of(FEATURES)
MODEL = "1ffade83"


def night_in(folder: Path, **options: object) -> Night:
    return Night(folder, target=PlainTarget(repo_folder(folder)), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", TARGETS)
@pytest.mark.parametrize(("with_state", "finished", "wasted"), [(False, 3, 6), (True, 9, 0)])
def test_three_windows_of_three_steps(
    tmp_path: Path, kind: type[GitTarget], with_state: bool, finished: int, wasted: int
) -> None:
    target = kind(repo_folder(tmp_path))
    night = run_night(Night(tmp_path, with_state=with_state, target=target))
    assert (night.finished, night.wasted) == (finished, wasted)
    assert [target.holds(feature.id) for feature in FEATURES] == [True] * finished + [False] * (40 - finished)


def test_without_the_layer_the_ledger_on_disk_is_whole_and_nobody_was_told(tmp_path: Path) -> None:
    night = run_night(night_in(tmp_path, with_state=False))
    on_disk = load_state(state_folder(tmp_path))
    assert on_disk == night.ledger
    assert on_disk.done == ("F01", "F02", "F03")
    assert on_disk.attempts == {"F01": 3, "F02": 3, "F03": 3}
    assert {window.opening for window in night.windows} == {TASK}


def test_the_model_is_given_its_text_and_nothing_else() -> None:
    assert list(inspect.signature(decide).parameters) == ["text"]
    source = inspect.getsource(model).replace("\r\n", "\n")
    assert [line for line in source.split("\n") if "import" in line] == ["from typing import NamedTuple"]
    found = hashlib.sha256(source.encode()).hexdigest()[:8]
    assert found == MODEL, "the model is the same with and without the layer; what changes is what it reads"


def test_the_switch_is_never_in_what_the_model_reads(tmp_path: Path) -> None:
    first = [run_night(night_in(tmp_path / str(on), with_state=on), windows=1) for on in (False, True)]
    assert first[0].steps == first[1].steps
    assert first[0].windows[0].transcript == first[1].windows[0].transcript
    for night in first:
        assert "with_state" not in night.windows[0].text


@pytest.mark.parametrize("windows", [1, 3, 13])
def test_the_rebuilt_opening_is_at_least_five_times_shorter_than_what_was_said(
    tmp_path: Path, windows: int
) -> None:
    night = run_night(night_in(tmp_path), windows=windows)
    for window in night.windows:
        assert 5 * len(window.opening) <= len(window.transcript), "the whole opening, with its task"


def outcome(feature: str, attempt: int) -> bool:
    return random.Random(f"{feature}/{attempt}").random() < 0.45


def test_summary_and_full_history_decide_alike_after_every_prefix_of_two_hundred_steps(
    tmp_path: Path,
) -> None:
    features = [Feature(f"F{n:03}", "a page") for n in range(1, 151)]
    night = night_in(tmp_path, disk=FakeDisk(), features=features, succeeds=outcome)
    task, acts = task_of(features), set()
    for step in range(201):
        rebuilt = rebuild_context(task, night.ledger, features)
        decision = decide(rebuilt)
        assert decision == decide(experiments.all_talk(night)), f"after {step} steps"
        assert rebuilt != experiments.all_talk(night), "equivalent, not identical"
        acts.add(decision.act)
        if step % 7 == 3 and decision.act == "do":
            # The process dies in this step: what was said ends with its beginning.
            night.change("begun", str(decision.feature))
            night.windows[-1].say(f"Started: {decision.feature}\n")
        elif step < 200:
            window = night.windows[-1] if step % 3 else open_window(night)
            assert take_step(night, window).act != "stop"
    assert night.ledger.spent.steps == 200
    assert acts == {"do", "verify"}
    assert stuck(night.ledger), "features that were left alone are among the decisions"


def reworded(old: str, new: str):  # type: ignore[no-untyped-def]
    """`summarize_state` with one word of its source changed."""
    source = inspect.getsource(summarize_state)
    assert source.count(old) == 1
    made: dict[str, object] = dict(vars(the_summary))
    exec(compile(source.replace(old, new), "reworded", "exec"), made)
    return made["summarize_state"]


def test_one_word_of_the_summary_changed_brings_the_waste_back(tmp_path: Path) -> None:
    with substitute("forge.longrun.summary:summarize_state", reworded("Done: ", "Finished: ")):
        night = run_night(night_in(tmp_path / "changed"))
    assert (night.finished, night.wasted) == (3, 6)
    with substitute("forge.longrun.summary:summarize_state", reworded("Done: ", "Done: ")):
        night = run_night(night_in(tmp_path / "same"))
    assert (night.finished, night.wasted) == (9, 0)


@pytest.mark.parametrize("kind", TARGETS)
@pytest.mark.parametrize(("moment", "built"), [("before", False), ("after", True)])
def test_a_step_whose_process_was_killed_is_verified_neither_repeated_nor_skipped(
    tmp_path: Path, kind: type[GitTarget], moment: str, built: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind is PlainTarget:
        monkeypatch.setenv("PATH", "")  # the child finds no git
    code = kill_in_mid_step(tmp_path, "F02", moment)
    if sys.platform != "win32":
        assert code == -9
    left = load_state(state_folder(tmp_path))
    assert left is not None
    assert (left.done, left.current, left.attempts) == (("F01",), "F02", {"F01": 1, "F02": 1})
    target = kind(repo_folder(tmp_path))
    assert target.holds("F02") is built
    night = run_night(Night(tmp_path, target=target), windows=1, steps=3)
    expected = [
        ("verify", "F02"),
        *([("do", "F03"), ("do", "F04")] if built else [("do", "F02"), ("do", "F03")]),
    ]
    assert [tuple(step.decision) for step in night.steps[0]] == expected
    assert night.ledger.attempts["F02"] == (1 if built else 2), "verifying is no attempt"
    assert night.wasted == 0
    assert target.status() == "", "what the killed step left behind is gone"


@pytest.mark.parametrize("kind", TARGETS)
def test_rolling_the_target_back_does_not_roll_the_ledger_back(tmp_path: Path, kind: type[GitTarget]) -> None:
    assert experiments.rolled_back(state_folder(tmp_path), kind(repo_folder(tmp_path))) == (3, 3)


@pytest.mark.parametrize("kind", TARGETS)
def test_a_ledger_inside_the_target_goes_back_with_it(tmp_path: Path, kind: type[GitTarget]) -> None:
    inside = repo_folder(tmp_path) / "state"
    assert experiments.rolled_back(inside, kind(repo_folder(tmp_path))) == (3, 1)


def test_the_raw_transcript_of_one_window_overflows_the_next(tmp_path: Path) -> None:
    found = experiments.restore_raw(tmp_path, target=PlainTarget(repo_folder(tmp_path)))
    assert found.opening > 5 * found.rebuilt
    assert str(found.error).startswith("the window is full: expected at most 9,000 characters, found ")
    layered = run_night(night_in(tmp_path / "layered", capacity=experiments.CAPACITY), windows=13)
    assert layered.finished == 39, "with a rebuilt opening the same window is large enough all night"


def test_a_window_that_is_full_takes_nothing() -> None:
    window = Window("abc", 5)
    window.say("de")
    with pytest.raises(ValueError, match="the window is full"):
        window.say("f")
    assert window.text == "abcde"
    with pytest.raises(ValueError, match="the window is full"):
        Window("abcdef", 5)


@pytest.mark.parametrize("kind", TARGETS)
def test_a_stale_receipt_leads_to_a_wrong_step(tmp_path: Path, kind: type[GitTarget]) -> None:
    found = experiments.stale_receipt(tmp_path, kind(repo_folder(tmp_path)))
    assert found.receipt == "?? features/F02.txt\n"
    assert found.with_stale == Decision("do", "F02")
    assert found.with_fresh == Decision("do", "F04")


def test_where_memory_and_disk_disagree_the_disk_wins(tmp_path: Path) -> None:
    held, on_disk, decision = experiments.disk_wins(tmp_path, PlainTarget(repo_folder(tmp_path)))
    assert (held, on_disk) == (("F01", "F02", "F03"), ("F01",))
    assert decision == Decision("do", "F02")


def test_a_window_may_begin_in_another_process(tmp_path: Path) -> None:
    for _ in range(3):  # each night starts with nothing in memory
        run_night(night_in(tmp_path), windows=1)
    found = load_state(state_folder(tmp_path))
    assert found is not None
    assert (len(found.done), found.spent.windows, found.spent.steps) == (9, 3, 9)


def test_attempts_of_five_windows_add_up_to_a_signal_and_those_of_one_do_not(tmp_path: Path) -> None:
    night = experiments.five_windows(tmp_path / "a", PlainTarget(tmp_path / "a"))
    assert [step.decision.feature for window in night.steps for step in window] == [*["F01"] * 5, "F02"]
    assert stuck(night.ledger) == ("F01",)
    for window in night.windows[:5]:
        assert window.transcript.count("Started: F01") == 1, "in one window it is noise"
    without = experiments.five_windows(tmp_path / "b", PlainTarget(tmp_path / "b"), with_state=False)
    assert [step.decision.feature for window in without.steps for step in window] == ["F01"] * 6


def test_free_text_breaks_when_one_word_changes_and_a_field_does_not(tmp_path: Path) -> None:
    ledger = Ledger()
    for _ in range(12):
        ledger = begun(ledger, "F23")
    assert experiments.tries_in(experiments.as_told(ledger), "F23") == 12
    assert experiments.tries_in(experiments.as_told(ledger, "attempted"), "F23") == 0, "silently"
    save_state(tmp_path, ledger)
    with substitute("forge.longrun.summary:summarize_state", reworded("Tried: ", "Attempted: ")):
        left = load_state(tmp_path)
        assert left is not None
        assert left.attempts["F23"] == 12


def test_no_thought_and_no_receipt_is_on_disk(tmp_path: Path) -> None:
    night = run_night(night_in(tmp_path))
    said = night.windows[0].transcript
    kept = state_file(state_folder(tmp_path)).read_text()
    for words in ("Thought:", "git status", "?? features", "def handle"):
        assert words in said
        assert words not in kept
    assert len(kept) < 1_000


def test_the_summary_says_its_four_things_one_a_line() -> None:
    ledger = Ledger(done=("F02", "F01"), current="F03", attempts={"F01": 1, "F02": 1, "F03": 2, "F04": 5})
    text = rebuild_context(TASK, ledger, FEATURES)
    assert text.removeprefix(TASK).split("\n") == [
        "This is no replay of a conversation. It was rebuilt from the state on disk.",
        "Earlier conversation no longer exists. Do not quote it.",
        "Done: F02 F01 (2 of 40)",
        "Spent: 0 windows, 0 steps.",
        "Unknown: F03",
        "Tried: F03 (2 starts)",
        "Tried: F04 (5 starts)",
        "Next: verify what is unknown. Then take the first feature of the list that is not done.",
        "Do nothing again that is done, and leave alone what was tried too often.",
        "",
    ]
    assert not any(feature.text in text.removeprefix(TASK) for feature in FEATURES), "ids, never descriptions"


def test_the_summary_is_pure() -> None:
    ledger = begun(Ledger(), "F01")
    before = ledger.model_dump_json()
    assert summarize_state(ledger, FEATURES) == summarize_state(ledger, FEATURES)
    assert ledger.model_dump_json() == before


def test_what_is_done_again_is_not_unknown() -> None:
    ledger = begun(finished(begun(Ledger(), "F01"), "F01"), "F01")
    assert "Unknown" not in summarize_state(ledger, FEATURES)


def test_a_night_ends_when_everything_is_done_or_given_up(tmp_path: Path) -> None:
    night = night_in(tmp_path, succeeds=lambda feature, _: feature != "F40")
    run_night(night, windows=20)
    assert night.finished == 39
    assert stuck(night.ledger) == ("F40",)
    assert night.ledger.spent.windows == 15
    assert decide(rebuild_context(TASK, night.ledger, FEATURES)) == Decision("stop")


def test_the_changes_of_a_night_lead_to_its_ledger(tmp_path: Path) -> None:
    from forge.history import History
    from forge.longrun import apply_change

    night = run_night(night_in(tmp_path, succeeds=outcome))
    history = History(night.changes, apply_change, initial=Ledger())
    assert history.at(len(history)) == night.ledger == load_state(state_folder(tmp_path))
