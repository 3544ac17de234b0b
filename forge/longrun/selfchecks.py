"""The self-checks of a night: each is one sentence, and a function that says whether it holds here.

A check is given a new, empty folder, and leaves no process behind. They run on the forge that is installed,
on this machine's disk and git: what a test shows in the project, they show where the night will run.
"""

from __future__ import annotations

import inspect
import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

from ..errors import ForgeError, InvalidValue, LedgerDamaged
from ..fakes import FakeDisk
from . import experiments, model
from .crash import kill_in_mid_step
from .features import FEATURES, task_of
from .ledger import Ledger, begun, failed, finished, opened_window, stuck
from .model import Decision, decide
from .night import Night, run_night, take_step, window_ledger
from .store import load_state, repo_folder, save_state, state_file, state_folder, temp_path
from .summary import rebuild_context, summarize_state
from .target import PlainTarget, open_target

Check: TypeAlias = Callable[[Path], bool]
CHECKS: dict[str, Check] = {}


class Result(NamedTuple):
    """One check: its sentence, whether it holds, and the error that it ended with, if any."""

    sentence: str
    holds: bool
    error: str = ""


def check(sentence: str) -> Callable[[Check], Check]:
    """Add a function to the checks under a sentence."""

    def add(function: Check) -> Check:
        CHECKS[sentence] = function
        return function

    return add


def run_checks() -> Iterator[Result]:
    """Run the checks, one after another, each in a folder of its own."""
    for sentence, function in CHECKS.items():
        with tempfile.TemporaryDirectory(prefix="forge-night-") as folder:
            try:
                yield Result(sentence, function(Path(folder)))
            except Exception as error:
                yield Result(sentence, False, f"{type(error).__name__}: {error}")


def plain(folder: Path, **options: object) -> Night:
    """A night on plain files: what it shows does not depend on git."""
    return Night(folder, target=PlainTarget(repo_folder(folder)), **options)  # type: ignore[arg-type]


def refuses(error: type[ForgeError], act: Callable[[], object], words: str = "") -> bool:
    """Whether `act` is refused with that error, and with those words in it."""
    try:
        act()
    except error as raised:
        return words in str(raised)
    return False


L3 = Ledger(done=("F01", "F02", "F03"), attempts={"F01": 1, "F02": 1, "F03": 1})
TASK = task_of(FEATURES)


@check("there are forty features, F01 to F40")
def _forty(_: Path) -> bool:
    return [feature.id for feature in FEATURES] == [f"F{n:02}" for n in range(1, 41)]


@check("a ledger cannot be changed")
def _frozen(_: Path) -> bool:
    return refuses(InvalidValue, lambda: setattr(L3, "current", "F04"))


@check("a feature is done once, in the order in which it was finished")
def _done_once(_: Path) -> bool:
    ledger = Ledger()
    for feature in ("F02", "F01", "F02"):
        ledger = finished(begun(ledger, feature), feature)
    return ledger.done == ("F02", "F01")


@check("an attempt that failed stays counted")
def _attempts_stay(_: Path) -> bool:
    return failed(begun(failed(begun(Ledger(), "F01")), "F01")).attempts == {"F01": 2}


@check("a new window resets no count")
def _window_keeps(_: Path) -> bool:
    return opened_window(begun(Ledger(), "F01")).attempts == {"F01": 1}


@check("a ledger has no room for thoughts and receipts")
def _no_room(_: Path) -> bool:
    return refuses(InvalidValue, lambda: Ledger(thoughts="first the routes"))  # type: ignore[call-arg]


@check("a feature that is done without an attempt is refused")
def _contradiction(_: Path) -> bool:
    return refuses(InvalidValue, lambda: Ledger(done=("F01",)))


@check("without a file there is no ledger, and that is no error")
def _missing(folder: Path) -> bool:
    return load_state(folder) is None


@check("what is saved is what is loaded")
def _round_trip(folder: Path) -> bool:
    save_state(folder, L3)
    return load_state(folder) == L3


@check("a save leaves one file and nothing beside it")
def _no_litter(folder: Path) -> bool:
    for ledger in (Ledger(), L3):
        save_state(folder, ledger)
    return [path.name for path in folder.iterdir()] == ["run.json"]


@check("a temporary name is never given twice, and lies beside the ledger")
def _temp_names(folder: Path) -> bool:
    names = [temp_path(folder) for _ in range(100)]
    return len(set(names)) == 100 and {name.parent for name in names} == {folder}


@check("an empty file is refused, with its name")
def _empty(folder: Path) -> bool:
    state_file(folder).write_bytes(b"")
    return refuses(LedgerDamaged, lambda: load_state(folder), str(state_file(folder)))


@check("a ledger that is cut at any byte is refused")
def _cut(folder: Path) -> bool:
    save_state(folder, L3)
    whole = state_file(folder).read_bytes()
    for size in range(len(whole)):
        state_file(folder).write_bytes(whole[:size])
        if not refuses(LedgerDamaged, lambda: load_state(folder)):
            return False
    return True


@check("a ledger with a field too many is refused")
def _extra(folder: Path) -> bool:
    save_state(folder, L3)
    fields = json.loads(state_file(folder).read_bytes())
    state_file(folder).write_text(json.dumps({**fields, "note": "x"}, indent=2))
    return refuses(LedgerDamaged, lambda: load_state(folder))


@check("a power cut at any operation of a save leaves the old ledger or the new one")
def _power_cut(_: Path) -> bool:
    folder = Path("state")
    first = FakeDisk()
    save_state(folder, Ledger(), disk=first)
    disk = FakeDisk(first.files)
    save_state(folder, L3, disk=disk)
    left = {
        load_state(folder, disk=FakeDisk(files))
        for count in range(len(disk.operations) + 1)
        for files in disk.states_after_cut(count)
    }
    return left == {Ledger(), L3}


@check("where memory and disk disagree, the disk wins")
def _disk_wins(folder: Path) -> bool:
    save_state(folder, L3)
    return window_ledger(folder, Ledger()) == L3


@check("the summary says that it is no replay, and that earlier talk is gone")
def _preface(_: Path) -> bool:
    text = rebuild_context(TASK, L3, FEATURES)
    return "no replay" in text and "no longer exists. Do not quote it" in text


@check("the summary says what is done, of how many, and what it cost")
def _summary(_: Path) -> bool:
    lines = summarize_state(opened_window(L3), FEATURES).split("\n")
    return lines[:2] == ["Done: F01 F02 F03 (3 of 40)", "Spent: 1 window, 0 steps."]


@check("the next step after three features is the fourth")
def _next(_: Path) -> bool:
    return decide(rebuild_context(TASK, L3, FEATURES)) == Decision("do", "F04")


@check("what was begun and has not ended is verified first")
def _dangling(_: Path) -> bool:
    return decide(rebuild_context(TASK, begun(L3, "F04"), FEATURES)) == Decision("verify", "F04")


@check("the model takes the text of its window, and its module imports nothing of forge")
def _model(_: Path) -> bool:
    return list(inspect.signature(decide).parameters) == ["text"] and "from ." not in inspect.getsource(model)


@check("without the layer, three windows finish 3 and waste 6")
def _without(folder: Path) -> bool:
    night = run_night(plain(folder, with_state=False))
    return (night.finished, night.wasted) == (3, 6)


@check("with the layer, three windows finish 9 and waste none")
def _with(folder: Path) -> bool:
    night = run_night(plain(folder))
    return (night.finished, night.wasted) == (9, 0)


@check("without the layer the ledger on disk is whole all the same")
def _evidence(folder: Path) -> bool:
    night = run_night(plain(folder, with_state=False))
    on_disk = load_state(night.state_dir)
    return on_disk is not None and on_disk.done == ("F01", "F02", "F03") and on_disk == night.ledger


@check("an opening is at least five times shorter than what was said in its window")
def _shorter(folder: Path) -> bool:
    night = run_night(plain(folder))
    return all(5 * len(window.opening) <= len(window.transcript) for window in night.windows)


@check("after every step, summary and full history lead to the same decision")
def _equivalent(folder: Path) -> bool:
    night = run_night(plain(folder, succeeds=lambda feature, attempt: attempt == int(feature[1:]) % 4 + 1))
    for _ in range(12):
        take_step(night, night.windows[-1])
        rebuilt = rebuild_context(TASK, night.ledger, FEATURES)
        if decide(rebuilt) != decide(experiments.all_talk(night)):
            return False
    return True


@check("the raw transcript overflows the second window")
def _overflow(folder: Path) -> bool:
    found = experiments.restore_raw(folder, target=PlainTarget(repo_folder(folder)))
    return int(found.error.evidence["size"]) > experiments.CAPACITY


@check("a stale receipt leads to a wrong step, and one that is asked for now does not")
def _stale(folder: Path) -> bool:
    found = experiments.stale_receipt(folder, PlainTarget(repo_folder(folder)))
    return (found.with_stale, found.with_fresh) == (Decision("do", "F02"), Decision("do", "F04"))


@check("attempts add up over five windows to a signal")
def _five(folder: Path) -> bool:
    night = experiments.five_windows(folder, PlainTarget(repo_folder(folder)))
    return stuck(night.ledger) == ("F01",) and night.ledger.done == ("F02",)


@check("one changed word makes free text forget, and the ledger does not notice it")
def _free_text(_: Path) -> bool:
    ledger = begun(begun(Ledger(), "F01"), "F01")
    told = [experiments.tries_in(experiments.as_told(ledger, word), "F01") for word in ("tried", "begun")]
    return told == [2, 0] and ledger.attempts["F01"] == 2


@check("rolling the target back leaves the ledger as it is")
def _rolled_back(folder: Path) -> bool:
    return experiments.rolled_back(state_folder(folder), open_target(repo_folder(folder))) == (3, 3)


@check("a step whose process was killed is verified, neither repeated nor skipped")
def _killed(folder: Path) -> bool:
    done = []
    for moment in ("before", "after"):
        work = folder / moment
        kill_in_mid_step(work, "F02", moment)
        night = run_night(Night(work), windows=1, steps=1)
        done.append((night.steps[0][0].decision, night.ledger.done, night.ledger.attempts["F02"]))
    verified = Decision("verify", "F02")
    return done == [(verified, ("F01",), 1), (verified, ("F01", "F02"), 1)]
