from __future__ import annotations

import re
from pathlib import Path

import pytest

from forge.fakes import FakeDisk
from forge.figures import Dial, power_cut_dial
from forge.figures.power_cut import FILE, WRITERS, outcome_after, temp_then_rename
from forge.state import RunState, load_checkpoint, save_checkpoint
from forge.storage import Disk

IN_PLACE, UNSYNCED, SYNCED = range(3)


def verdicts(dial: Dial, block: int) -> list[str]:
    return [frame.blocks[block][2] for frame in dial.frames]


def state(version: int, **fields: object) -> RunState:
    return RunState.model_validate(
        {"run_id": "run-7", "status": "running", "version": version, "last_event_id": "e", **fields}
    )


def saved(state: RunState) -> bytes:
    disk = FakeDisk()
    save_checkpoint(FILE, state, disk=disk)
    return disk.files[FILE]


def test_a_writer_that_truncates_first_has_lost_the_old_checkpoint_at_once() -> None:
    assert verdicts(power_cut_dial(), IN_PLACE) == [
        "✓ the old one loads",
        "✗ empty: checkpoint is damaged",
        *["✗ cut short: checkpoint is damaged"] * 4,
    ]


def test_a_rename_without_a_sync_can_bring_the_name_before_the_bytes() -> None:
    assert verdicts(power_cut_dial(), UNSYNCED) == [
        *["✓ the old one loads"] * 3,
        *["✗ zeros: checkpoint is damaged"] * 3,
    ]
    assert re.fullmatch(r"\d+ zero bytes", power_cut_dial().frames[3].blocks[UNSYNCED][1])


def test_with_both_syncs_one_of_the_two_checkpoints_always_loads() -> None:
    assert verdicts(power_cut_dial(), SYNCED) == [
        *["✓ the old one loads"] * 4,
        "✓ the old one loads, or the new one",
        "✓ the new one loads",
    ]


def test_each_block_says_what_its_writer_did_last_and_when_it_had_returned() -> None:
    notes = [[block[3] for block in frame.blocks] for frame in power_cut_dial().frames]
    assert notes[0] == ["nothing is done yet"] * 3
    assert [re.sub(r"\d+", "n", note) for note in [*notes[2], notes[5][SYNCED]]] == [
        "write checkpoint.json, n bytes",
        "write the temp file, n bytes",
        "write the temp file, n bytes",
        "sync the folder",
    ]
    assert notes[4] == [
        "the save has returned",
        "the save has returned",
        "rename the temp file to checkpoint.json",
    ]


def test_the_caption_counts_the_contents_that_cannot_be_loaded() -> None:
    old, new = state(1), state(2, current_step="draft")
    disk = FakeDisk({FILE: saved(old)})
    WRITERS["truncate, then write"](FILE, saved(new), disk)
    contents = {left[FILE] for left in disk.states_after_cut(2)}
    refused = 0
    for content in contents:
        try:
            load_checkpoint(FILE, disk=FakeDisk({FILE: content}))
        except ValueError:
            refused += 1
    caption = power_cut_dial(old, new).frames[2].caption
    assert f"{refused} of the {len(contents)} contents that a cut may leave here cannot be loaded" in caption
    assert "although the save has returned" in caption


def test_what_is_true_of_two_writers_is_said_once() -> None:
    old, new = (state(n, current_step="inspect", last_event_id=f"e{n}") for n in (2, 3))
    caption = power_cut_dial(old, new).frames[3].caption
    assert caption.startswith("“truncate, then write” and “temp, then rename”: ")
    assert caption.count("cannot be loaded") == 1


def test_the_text_is_what_the_disk_holds_with_a_mark_where_it_is_cut() -> None:
    new = saved(state(2, current_step="draft")).decode()
    dial = power_cut_dial(state(1), state(2, current_step="draft"))
    whole = re.sub(r"([0-9a-f]{8})[0-9a-f]{56}", r"\1…", new)
    text = dial.frames[2].blocks[IN_PLACE][1]
    assert text.endswith("‸")
    assert whole.startswith(text[:-1])
    assert 0 < len(text) < len(whole)
    assert dial.frames[1].blocks[IN_PLACE][1] == "‸"
    assert dial.frames[-1].blocks[SYNCED][1] == whole.rstrip("\n")


def test_a_cut_in_the_middle_of_a_character_shows_the_characters_before_it() -> None:
    dial = power_cut_dial(state(1), state(2, current_step="ab" * 40 + "進" * 200))
    assert "\ufffd" not in dial.frames[2].blocks[IN_PLACE][1]


def test_a_save_that_returned_and_is_gone_after_the_cut_is_told_apart_from_one_that_is_kept() -> None:
    def without_the_last_sync(path: Path, data: bytes, disk: Disk) -> None:
        new = path.with_name("new")
        disk.create(new, data)
        disk.sync(new)
        disk.rename(new, path)

    dial = power_cut_dial(writers={"no folder sync": without_the_last_sync})
    assert verdicts(dial, 0) == [*["✓ the old one loads"] * 3, "◐ the old one loads; the save had returned"]


def test_a_shorter_checkpoint_written_over_a_longer_one_can_be_mixed_with_it() -> None:
    long, short = state(1, current_step="x" * 400), state(2)
    disk = FakeDisk({FILE: saved(long)})
    WRITERS["truncate, then write"](FILE, saved(short), disk)
    kinds = {len(left[FILE]) for left in disk.states_after_cut(2)}
    assert len(saved(long)) in kinds
    outcome = outcome_after(disk, 2, saved(long), saved(short))
    assert (outcome.kind, outcome.words) == ("cut short", "checkpoint is damaged")


def test_a_file_that_is_removed_first_may_be_missing() -> None:
    def remove_first(path: Path, data: bytes, disk: Disk) -> None:
        disk.remove(path)
        disk.sync_folder(path.parent)
        disk.create(path, data)

    dial = power_cut_dial(writers={"remove first": remove_first})
    assert verdicts(dial, 0)[1:3] == ["✗ missing: there is no checkpoint"] * 2
    assert dial.frames[2].blocks[0][1] == "no file"


@pytest.mark.parametrize("writers", [WRITERS, {"one": temp_then_rename}])
def test_two_dials_are_the_same_although_temporary_names_are_random(writers: dict[str, object]) -> None:
    first, second = (power_cut_dial(writers=writers) for _ in range(2))  # type: ignore[arg-type]
    assert first.content == second.content
    assert repr(first) == repr(second)
