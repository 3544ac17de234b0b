"""Stage 3: what a checkpoint promises. Every test is a sentence about it, and so is every failure."""

from __future__ import annotations

import json
import os
from pathlib import Path

from forge.chain import canonical, sha256
from forge.fakes import FakeDisk
from forge.log import Anchor
from forge.state.checkpoint import checkpoint_checksum, load_checkpoint, load_last_good, save_checkpoint
from forge.state.models import RunState

PATH = Path("runs/run-1.json")

OLD = RunState(run_id="run-1", status="running", version=7, last_event_id="e7", current_step="inspect")
NEW = RunState(
    run_id="run-1",
    status="running",
    version=100,
    last_event_id="e100",
    current_step="prüfen 検査",
    write_allowed=False,
)


def saved(state, **named):
    """The bytes of a checkpoint of the state."""
    disk = FakeDisk()
    save_checkpoint(PATH, state, disk=disk, **named)
    return disk.files[PATH]


def loaded(data, path=PATH):
    """The checkpoint that a file of these bytes loads as, in one line, or how it is refused."""
    try:
        checkpoint = load_checkpoint(path, disk=FakeDisk({path: data}))
    except ValueError as error:
        return f"ValueError: {error}"
    return standing(checkpoint.state)


def standing(state):
    permission = "may write" if state.write_allowed else "may not write"
    return f"{state.status} at {state.current_step}, {permission}, version {state.version}"


def written(fields):
    """A file of these fields as `save_checkpoint` would write it, its checksum right."""
    fields = {key: value for key, value in fields.items() if key != "checksum_sha256"}
    fields["checksum_sha256"] = sha256(canonical(fields))
    return (json.dumps(fields, ensure_ascii=False, sort_keys=True, indent=2) + "\n").encode()


def refused(words, found):
    """`ValueError: … words …` if `found` is a refusal with these words, else what it is instead."""
    return f"ValueError: … {words} …" if found.startswith("ValueError") and words in found else found


def test_checkpoint_round_trip_preserves_exact_state(tmp_path):
    path = tmp_path / "a folder" / "run-checkpoint.json"
    for state in (OLD, NEW):
        for anchor in (None, Anchor(count=7, head="a1" * 32)):
            checkpoint = save_checkpoint(path, state, anchor=anchor)
            assert load_checkpoint(str(path)) == checkpoint, "what is loaded must be what was saved"
            assert checkpoint.state == state, "a checkpoint must hold the state it was given"
            assert checkpoint.anchor == anchor, "a checkpoint must hold the anchor it was given"
            assert len(checkpoint.checksum_sha256) == 64, "a checkpoint must hold a SHA-256"
            files = [file.name for file in path.parent.iterdir()]
            assert files == ["run-checkpoint.json"], "a save must leave its file and nothing beside it"


def test_checkpoint_corruption_is_rejected():
    for field, value in {"write_allowed": True, "current_step": "delete", "last_event_id": "e99"}.items():
        content = json.loads(saved(NEW))
        content["state"][field] = value
        found = loaded((json.dumps(content, ensure_ascii=False, sort_keys=True, indent=2) + "\n").encode())
        assert refused("checksum mismatch", found) == "ValueError: … checksum mismatch …", (
            f"a changed {field} must be rejected"
        )
    content = json.loads(saved(NEW, anchor=Anchor(count=7, head="a1" * 32)))
    content["anchor"]["count"] = 6
    found = loaded(json.dumps(content).encode())
    assert refused("checksum mismatch", found) == "ValueError: … checksum mismatch …", (
        "a changed anchor must be rejected"
    )


def test_unknown_checkpoint_version_is_rejected():
    for version in (2, 10, 999, -1):
        words = f"unsupported checkpoint schema version: {version}"
        content = {**json.loads(saved(NEW)), "schema_version": version}
        found = refused(words, loaded(json.dumps(content).encode()))
        assert found == f"ValueError: … {words} …", f"version {version} must be rejected before all else"
        found = refused(words, loaded(written({**content, "a field of tomorrow": None})))
        assert found == f"ValueError: … {words} …", f"whatever version {version} holds, it must be rejected"


def test_an_older_checkpoint_is_brought_up_to_date():
    content = json.loads(saved(NEW))
    state = content["state"]
    del state["failure_reason"]
    state["may_write"] = state.pop("write_allowed")
    older = {"schema_version": 0, "state": state}
    assert loaded(written(older)) == standing(NEW), "a checkpoint of version 0 must load as one of version 1"

    found = loaded(written(older).replace(b'"may_write": false', b'"may_write": true'))
    assert refused("checksum mismatch", found) == "ValueError: … checksum mismatch …", (
        "an older checkpoint must be verified before anything in it is used"
    )


def test_an_empty_checkpoint_is_damage_and_not_a_fresh_start():
    whole = saved(NEW)
    for size in (0, 1, 40, len(whole) - 2):
        found = loaded(whole[:size])
        assert found.startswith("ValueError"), f"a checkpoint cut to {size} bytes must be rejected: {found}"
    found = loaded(b"")
    assert "is empty" in found, f"an empty checkpoint must be called empty: {found}"
    assert "recover from" in found, f"the refusal must say what to do: {found}"
    try:
        load_checkpoint(PATH, disk=FakeDisk())
    except FileNotFoundError:
        found = "FileNotFoundError"
    assert found == "FileNotFoundError", "having no checkpoint must be told apart from having a damaged one"


def test_a_power_cut_leaves_the_old_checkpoint_or_the_new_one():
    disk = FakeDisk({PATH: saved(OLD)})
    save_checkpoint(PATH, NEW, disk=disk)
    for operation in range(len(disk.operations) + 1):
        for left in disk.states_after_cut(operation):
            found = loaded(left.get(PATH, b""))
            assert found in (standing(OLD), standing(NEW)), f"cut after operation {operation}: {found}"
    assert loaded(left[PATH]) == standing(NEW), "once the save has returned, a cut must leave the new one"


def test_the_last_good_checkpoint_is_found_and_the_others_are_named():
    newest, newer, good = Path("runs/9.json"), Path("runs/8.json"), Path("runs/7.json")
    damaged = {newest: bytes(300), newer: saved(NEW)[:-9]}
    disk = FakeDisk({**damaged, good: saved(OLD)})
    found = load_last_good([newest, newer, good], disk=disk)
    assert found.path == good, "the first checkpoint that loads must be used"
    assert standing(found.checkpoint.state) == standing(OLD), "it must be loaded as it was saved"
    names = [Path(error.evidence["path"]) for error in found.refused]
    assert names == [newest, newer], "those before it must be named"
    try:
        told = str(load_last_good([newest, newer], disk=FakeDisk(damaged)))
    except ValueError as error:
        told = f"ValueError: {error}"
    assert refused("no checkpoint can be loaded", told) == "ValueError: … no checkpoint can be loaded …", (
        "where none loads, none must be made up"
    )


def test_two_writers_at_once_leave_one_whole_checkpoint():
    middle = OLD.model_copy(update={"version": 8, "last_event_id": "e8"})
    alone = FakeDisk({PATH: saved(OLD)})
    save_checkpoint(PATH, NEW, disk=alone)
    for operation in range(1, len(alone.operations) + 1):
        disk = FakeDisk(
            {PATH: saved(OLD)},
            before={operation: lambda: save_checkpoint(PATH, middle, disk=disk)},  # noqa: B023
        )
        try:
            save_checkpoint(PATH, NEW, disk=disk)
            found = loaded(disk.files[PATH])
        except OSError as error:
            found = f"{type(error).__name__}: {error}"
        assert found in (standing(middle), standing(NEW)), (
            f"a second writer before operation {operation} must not disturb the first: {found}"
        )
        assert list(disk.files) == [PATH], (
            f"a second writer before operation {operation} must leave no litter"
        )


def test_one_changed_digit_is_rejected():
    found = loaded(saved(NEW).replace(b'"version": 100', b'"version": 900'))
    assert refused("checksum mismatch", found) == "ValueError: … checksum mismatch …", (
        "100 that has become 900 must be rejected"
    )


def test_a_save_that_fails_leaves_a_whole_checkpoint():
    alone = FakeDisk({PATH: saved(OLD)})
    save_checkpoint(PATH, NEW, disk=alone)
    for operation in range(1, len(alone.operations) + 1):
        for error in (OSError(28, os.strerror(28)), KeyboardInterrupt()):
            disk = FakeDisk({PATH: saved(OLD)}, fail={operation: error})
            try:
                save_checkpoint(PATH, NEW, disk=disk)
                told = "saved"
            except (OSError, KeyboardInterrupt) as raised:
                told = type(raised).__name__
            assert told != "saved", f"a save that fails at operation {operation} must say so"
            found = loaded(disk.files[PATH])
            assert found in (standing(OLD), standing(NEW)), f"a failure at operation {operation}: {found}"
            assert list(disk.files) == [PATH], f"a failure at operation {operation} must leave no litter"


def test_the_schema_version_and_the_state_version_are_two_numbers():
    content = json.loads(saved(OLD))
    assert content["schema_version"] == 1, "the schema version must say how the file is written"
    assert content["state"]["version"] == 7, "the state's version must say how many events it has seen"
    words = "unsupported checkpoint schema version: 7"
    found = refused(words, loaded(written({**content, "schema_version": 7})))
    assert found == f"ValueError: … {words} …", "a state's version must not do as a schema version"
    assert checkpoint_checksum(1, OLD) != checkpoint_checksum(2, OLD), "the checksum must cover the one"
    later = OLD.model_copy(update={"version": 8})
    assert checkpoint_checksum(1, OLD) != checkpoint_checksum(1, later), "the checksum must cover the other"


def test_a_key_given_twice_is_rejected():
    once = b'"write_allowed": false'
    for twice in (b'"write_allowed": true,\n    ' + once, once + b',\n    "write_allowed": true'):
        found = loaded(saved(NEW).replace(once, twice))
        assert refused("write_allowed", found) == "ValueError: … write_allowed …", (
            "a key given twice must be rejected by its name, not read as its last value"
        )


def test_a_value_of_another_kind_is_rejected_by_name():
    content = json.loads(saved(NEW))
    others = {"status": "paused", "write_allowed": "yes", "version": "100", "run_id": {"class": "Run"}}
    for field, value in {**others, "owner": "nobody"}.items():
        found = loaded(written({**content, "state": {**content["state"], field: value}}))
        words = f"CheckpointEnvelope.state.{field} was refused"
        assert refused(words, found) == f"ValueError: … {words} …", f"{field}={value!r} must be rejected"
    found = loaded(written({**content, "state": {"status": "running"}}))
    words = "CheckpointEnvelope.state.run_id was refused"
    assert refused(words, found) == f"ValueError: … {words} …", "a state without its fields must be rejected"


def test_only_the_bytes_that_were_saved_load():
    whole = saved(NEW)
    fields = json.loads(whole)
    defaulted = json.loads(whole)
    del defaulted["state"]["failure_reason"]
    others = {
        "without line breaks": json.dumps(fields, ensure_ascii=False, sort_keys=True).encode(),
        "with escapes": (json.dumps(fields, sort_keys=True, indent=2) + "\n").encode(),
        "with other line ends": whole.replace(b"\n", b"\r\n"),
        "with a space at the end": whole + b" ",
        "without its last newline": whole[:-1],
        "in another order": (
            json.dumps(dict(reversed(fields.items())), ensure_ascii=False, indent=2)
        ).encode(),
        "with a field left out": (
            json.dumps(defaulted, ensure_ascii=False, sort_keys=True, indent=2) + "\n"
        ).encode(),
    }
    words = "not byte for byte"
    for how, data in others.items():
        found = refused(words, loaded(data))
        assert found == f"ValueError: … {words} …", f"the same checkpoint {how} must be rejected"
