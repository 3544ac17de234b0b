from __future__ import annotations

import hashlib
import json
import os
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.chain import canonical, sha256
from forge.errors import (
    CheckpointDamaged,
    CheckpointRefused,
    ForgeError,
    InvalidValue,
    NotCanonicalCheckpoint,
    StorageError,
    UnsupportedCheckpoint,
)
from forge.fakes import FakeDisk
from forge.log import Anchor
from forge.state.checkpoint import (
    CHECKPOINT_SCHEMA_VERSION,
    CheckpointEnvelope,
    checkpoint_checksum,
    load_checkpoint,
    load_last_good,
    save_checkpoint,
)
from forge.state.models import RunState, RunStatus
from forge.state.upcast import UPCASTERS, upcast

SWEEP = bool(os.environ.get("FORGE_SWEEP"))
PATH = Path("runs/run-1.json")
OLD = RunState(run_id="run-1", status=RunStatus.RUNNING, version=7, last_event_id="e7", current_step="plan")
NEW = OLD.model_copy(update={"version": 8, "last_event_id": "e8", "current_step": "prüfen 検査 🧪"})
ANCHOR = Anchor(count=8, head="a1" * 32)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
STATES = st.builds(
    RunState,
    run_id=TEXT,
    status=st.sampled_from(RunStatus),
    version=st.integers(1, 2**53 - 1),
    last_event_id=TEXT,
    current_step=st.none() | TEXT,
    write_allowed=st.booleans(),
    failure_reason=st.none() | TEXT,
)
ANCHORS = st.none() | st.builds(
    Anchor,
    count=st.integers(1, 2**53 - 1),
    head=st.binary(min_size=32, max_size=32).filter(any).map(bytes.hex),
)


def saved(state: RunState, anchor: Anchor | None = None) -> bytes:
    disk = FakeDisk()
    save_checkpoint(PATH, state, anchor=anchor, disk=disk)
    return disk.files[PATH]


def load(data: bytes) -> CheckpointEnvelope:
    return load_checkpoint(PATH, disk=FakeDisk({PATH: data}))


@given(STATES, ANCHORS)
def test_what_is_saved_is_what_loads(state: RunState, anchor: Anchor | None) -> None:
    envelope = load(saved(state, anchor))
    assert (envelope.state, envelope.anchor) == (state, anchor)
    assert envelope.schema_version == CHECKPOINT_SCHEMA_VERSION
    assert pickle.loads(pickle.dumps(envelope)) == envelope


@given(STATES)
def test_without_an_anchor_the_checksum_and_the_file_are_plain_json_of_the_state(state: RunState) -> None:
    fields = {"schema_version": 1, "state": state.model_dump(mode="json")}
    text = json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    checksum = hashlib.sha256(text.encode()).hexdigest()
    assert checkpoint_checksum(1, state) == checksum
    file = json.dumps({**fields, "checksum_sha256": checksum}, ensure_ascii=False, sort_keys=True, indent=2)
    assert saved(state) == (file + "\n").encode()


def test_the_checksum_covers_version_state_and_anchor() -> None:
    other = Anchor(count=9, head=ANCHOR.head)
    sums = {
        checkpoint_checksum(1, OLD),
        checkpoint_checksum(2, OLD),
        checkpoint_checksum(1, NEW),
        checkpoint_checksum(1, OLD, ANCHOR),
        checkpoint_checksum(1, OLD, other),
    }
    assert len(sums) == 5


def test_every_flipped_bit_is_detected() -> None:
    tried = 0
    for data in (saved(OLD), saved(NEW, ANCHOR)):
        for place in range(len(data) * 8):
            flipped = bytearray(data)
            flipped[place // 8] ^= 1 << place % 8
            with pytest.raises(CheckpointRefused):
                load(bytes(flipped))
            tried += 1
    print(f"checkpoint: {tried:,} flipped bits, every one detected")
    assert tried == (len(saved(OLD)) + len(saved(NEW, ANCHOR))) * 8


def test_every_length_but_the_whole_is_detected() -> None:
    data = saved(NEW, ANCHOR)
    for size in range(len(data)):
        with pytest.raises(CheckpointRefused):
            load(data[:size])
        with pytest.raises(CheckpointRefused):
            load(data[:size].ljust(len(data), b"\0"))


def cuts(before: dict[Path, bytes], state: RunState) -> Iterator[tuple[bool, dict[Path, bytes]]]:
    """What the device may hold after a cut at each moment of a save, and whether the save had returned."""
    disk = FakeDisk(before)
    save_checkpoint(PATH, state, disk=disk)
    last = len(disk.operations)
    for operation in range(last + 1):
        for files in disk.states_after_cut(operation):
            yield operation == last, files


def held(files: dict[Path, bytes]) -> RunState | None:
    return load_checkpoint(PATH, disk=FakeDisk(files)).state if PATH in files else None


@pytest.mark.parametrize("before", [None, OLD], ids=["first save", "over an older one"])
def test_a_power_cut_during_a_save_leaves_the_old_state_or_the_new_one(before: RunState | None) -> None:
    newest = NEW.model_copy(update={"version": 9})
    first = {PATH: saved(before)} if before else {}
    tried = 0
    for returned, files in cuts(first, NEW):
        tried += 1
        found = held(files)
        assert found == NEW if returned else found in (before, NEW)
        # The machine starts again and saves again: that mends everything, or is cut in its turn.
        disk = FakeDisk(files)
        save_checkpoint(PATH, newest, disk=disk)
        assert held(disk.files) == newest
        assert list(disk.files) == [PATH]
        if SWEEP:
            for again_returned, left in cuts(files, newest):
                tried += 1
                assert held(left) == newest if again_returned else held(left) in (found, newest)
    print(f"checkpoint: {tried:,} power cuts, each left the old state or the new one")
    assert tried > 300


def test_a_full_disk_leaves_the_old_checkpoint_and_says_so() -> None:
    size = len(saved(NEW))
    for fits in range(0, size, 1 if SWEEP else 29):
        disk = FakeDisk({PATH: saved(OLD)}, short={3: fits})
        with pytest.raises(StorageError, match="Make room on the disk"):
            save_checkpoint(PATH, NEW, disk=disk)
        assert held(disk.files) == OLD
        assert list(disk.files) == [PATH]


def test_an_older_version_is_refused_where_its_bytes_or_its_fields_are_wrong() -> None:
    state = OLD.model_dump(mode="json", exclude={"write_allowed", "failure_reason"})
    fields = {"schema_version": 0, "state": {**state, "may_write": False}, "anchor": ANCHOR.model_dump()}

    def file(fields: dict[str, object], **dump: object) -> bytes:
        content = {**fields, "checksum_sha256": sha256(canonical(fields))}
        return (json.dumps(content, ensure_ascii=False, sort_keys=True, **dump) + "\n").encode()  # type: ignore[arg-type]

    envelope = load(file(fields, indent=2))
    assert envelope.state == OLD.model_copy(update={"write_allowed": False})
    assert envelope.anchor == ANCHOR
    assert envelope.schema_version == 1
    assert envelope.checksum_sha256 == checkpoint_checksum(1, envelope.state, ANCHOR)
    with pytest.raises(NotCanonicalCheckpoint):
        load(file(fields))
    with pytest.raises(CheckpointDamaged, match="checksum mismatch"):
        load(file(fields, indent=2).replace(b'"version": 7', b'"version": 9'))
    with pytest.raises(CheckpointRefused, match="is of version 0, and the step out of it met KeyError"):
        load(file({**fields, "state": state}, indent=2))
    with pytest.raises(CheckpointDamaged, match="records None"):
        load((json.dumps(fields, indent=2) + "\n").encode())


def test_there_is_a_step_out_of_every_version_before_todays() -> None:
    assert sorted(UPCASTERS) == list(range(CHECKPOINT_SCHEMA_VERSION))
    data = saved(OLD)
    assert upcast(data, PATH, to=CHECKPOINT_SCHEMA_VERSION) is data


def test_a_newer_version_is_refused_with_both_versions() -> None:
    with pytest.raises(UnsupportedCheckpoint) as caught:
        load(saved(OLD).replace(b'"schema_version": 1', b'"schema_version": 2'))
    words = (
        "unsupported checkpoint schema version: 2 in run-1.json, this forge reads 0 to 1. Open it with the"
    )
    assert str(caught.value).startswith(words)
    assert (caught.value.evidence["found"], caught.value.evidence["known"]) == (2, 1)


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        (b"{\n", b"[\n", "checkpoint is damaged"),
        (b'"schema_version": 1', b'"schema_version": true', "schema_version was refused"),
        (b'"schema_version": 1', b'"schema_version": 1.0', "schema_version was refused"),
        (b'"schema_version": 1', b'"schema_version": "1"', "schema_version was refused"),
        (b'"schema_version": 1,', b"", "schema_version was refused: expected a value, found nothing"),
        (b'"version": 7', b'"version": 7.0', "state.version was refused"),
        (b'"version": 7', b'"version": NaN', "checkpoint is damaged"),
        (b'"version": 7', b'"version": 9007199254740993', "checkpoint is damaged"),
        (b'"run-1"', b'"\\ud800"', "checkpoint is damaged"),
        (b'"run-1"', b'"run\xff"', "expected UTF-8"),
        (b'"checksum_sha256": "', b'"checksum_sha256": "\xc3\xa9', "checksum_sha256 was refused"),
    ],
)
def test_a_value_that_is_not_what_was_saved_is_refused_by_name(old: bytes, new: bytes, found: str) -> None:
    data = saved(OLD).replace(old, new)
    assert data != saved(OLD)
    with pytest.raises(CheckpointRefused, match=found) as caught:
        load(data)
    assert str(caught.value).endswith("recover from an earlier checkpoint or from the whole history.")
    assert caught.value.evidence["path"] == str(PATH)


def test_the_first_byte_that_differs_is_named() -> None:
    with pytest.raises(NotCanonicalCheckpoint, match="differs from byte 1 on") as caught:
        load(saved(OLD).replace(b"\n", b"\r\n"))
    assert caught.value.evidence["offset"] == 1


def test_an_error_can_be_pickled() -> None:
    with pytest.raises(CheckpointDamaged) as caught:
        load(b"")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (type(copy), str(copy), copy.evidence) == (
        CheckpointDamaged,
        str(caught.value),
        {"path": str(PATH)},
    )


def test_a_state_that_json_cannot_hold_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    for state in (
        RunState(run_id="\ud800", status=RunStatus.RUNNING, version=1, last_event_id="e1"),
        RunState(run_id="run-1", status=RunStatus.RUNNING, version=2**53, last_event_id="e1"),
    ):
        with pytest.raises(InvalidValue, match=r"state\.(run_id|version) was refused"):
            save_checkpoint(tmp_path / "checkpoint.json", state)
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "change",
    [
        {"schema_version": 0},
        {"schema_version": True},
        {"state": None},
        {"checksum_sha256": "a" * 63},
        {"checksum_sha256": "A" * 64},
        {"anchor": {"count": -1, "head": "0" * 64}},
        {"saved_at": "today"},
    ],
)
def test_no_envelope_is_made_of_wrong_values(change: dict[str, object]) -> None:
    right = {"schema_version": 1, "state": OLD, "checksum_sha256": "a" * 64}
    with pytest.raises(InvalidValue, match=r"CheckpointEnvelope.* was refused") as caught:
        CheckpointEnvelope(**{**right, **change})  # type: ignore[arg-type]
    assert "pydantic" not in str(caught.value)


def test_falling_back_says_what_was_passed_over() -> None:
    newest, good = Path("9.json"), Path("7.json")
    disk = FakeDisk({newest: b"", good: saved(OLD)})
    found = load_last_good([newest, good], disk=disk)
    assert (found.checkpoint.state, found.path) == (OLD, good)
    (error,) = found.refused
    assert str(error) == (
        "checkpoint is damaged: 9.json is empty: its writer lost power or was killed. "
        "Keep the file, and recover from an earlier checkpoint or from the whole history."
    )
    with pytest.raises(CheckpointRefused, match=r"\(1\) checkpoint is damaged: 9.json is empty.*Replay the"):
        load_last_good([newest], disk=disk)
    with pytest.raises(CheckpointRefused, match="none was given"):
        load_last_good([], disk=disk)
    with pytest.raises(FileNotFoundError):
        load_last_good([Path("8.json"), good], disk=disk)


def test_every_refusal_is_a_value_error_of_forge() -> None:
    for kind in (CheckpointRefused, CheckpointDamaged, NotCanonicalCheckpoint, UnsupportedCheckpoint):
        assert issubclass(kind, ForgeError)
        assert issubclass(kind, ValueError)
