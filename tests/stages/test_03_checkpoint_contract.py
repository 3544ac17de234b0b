"""Stage 3: what a checkpoint promises. Every test is a sentence about it, and so is every failure."""

from __future__ import annotations

import json
import os
from pathlib import Path

from forge.chain import canonical, sha256
from forge.errors import CheckpointRefused
from forge.fakes import FakeDisk
from forge.log import Anchor
from forge.state.checkpoint import checkpoint_checksum, load_checkpoint, load_last_good, save_checkpoint
from forge.state.models import RunState
from forge.state.upcast import from_version_0

PATH = Path("runs/run-1.json")

OLD = RunState(run_id="run-1", status="running", version=7, last_event_id="e7", current_step="inspect")
NEW = RunState(
    run_id="run-1",
    status="running",
    version=100,
    last_event_id="e100",
    current_step="review café",
    write_allowed=False,
)
MIDDLE = OLD.model_copy(update={"version": 8, "last_event_id": "e8"})
ANCHOR = Anchor(count=100, head="a1" * 32)


class BusyDisk(FakeDisk):
    """A disk on which another writer is at work: it saves right before the first lock that is waited for."""

    meanwhile = None

    def lock(self, path, *, shared=False, wait=True):
        if wait and self.meanwhile is not None:
            save, self.meanwhile = self.meanwhile, None
            save()
        return super().lock(path, shared=shared, wait=wait)


def busy(number):
    """A disk on which a second writer saves before that operation, or before the lock when it is None."""

    def save():
        save_checkpoint(PATH, MIDDLE, disk=disk)

    disk = BusyDisk({PATH: saved(OLD)}, before={} if number is None else {number: save})
    disk.meanwhile = save if number is None else None
    return disk


def saved(state, **named):
    """The bytes of a checkpoint of the state."""
    disk = FakeDisk()
    save_checkpoint(PATH, state, disk=disk, **named)
    return disk.files[PATH]


def loaded(data):
    """The checkpoint that a file of these bytes loads as, in one line, or how it is refused."""
    try:
        checkpoint = load_checkpoint(PATH, disk=FakeDisk({PATH: data}))
    except (ValueError, OSError, AssertionError) as error:
        return refusal(error)
    return standing(checkpoint.state)


def refusal(error):
    return f"ValueError: {error}" if isinstance(error, ValueError) else f"it raised {type(error).__name__}"


def kind_of_refusal(data):
    """The kind of error that a file of these bytes is refused with, as whoever catches it sees it."""
    try:
        load_checkpoint(PATH, disk=FakeDisk({PATH: data}))
    except CheckpointRefused:
        return "CheckpointRefused"
    except ValueError as error:
        return type(error).__name__
    return "none"


def standing(state):
    permission = "may write" if state.write_allowed else "may not write"
    return f"{state.status} at {state.current_step or 'no step'}, {permission}, version {state.version}"


def text(fields, **how):
    """The fields as the bytes of a file, in the form that forge writes unless told otherwise."""
    how = {"ensure_ascii": False, "sort_keys": True, "indent": 2, **how}
    return (json.dumps(fields, **how) + "\n").encode()


def written(fields):
    """A file of these fields as `save_checkpoint` would write it, its checksum right."""
    fields = {key: value for key, value in fields.items() if key != "checksum_sha256"}
    return text({**fields, "checksum_sha256": sha256(canonical(fields))})


def refused(words, found):
    """`ValueError: … words …` if `found` is a refusal with these words, else what it is instead."""
    return f"ValueError: … {words} …" if found.startswith("ValueError") and words in found else found


def accepted(found):
    """`it loads` unless `found` is a refusal, then that."""
    return found if found.startswith(("ValueError", "it raised")) else "it loads"


def whole(found, *states):
    """`a whole checkpoint` if `found` is one of the states, else what it is instead."""
    return "a whole checkpoint" if found in map(standing, states) else found


def held(disk):
    """What stands on the disk, without the names that are random."""
    return "the checkpoint alone" if list(disk.files) == [PATH] else f"{len(disk.files)} files"


def attempt(save, *values, **named):
    """Whether the save returned, or the name of the error that it ended with."""
    try:
        save(*values, **named)
    except (OSError, KeyboardInterrupt) as error:
        return f"it raised {type(error).__name__}"
    return "it returned"


def test_checkpoint_round_trip_preserves_exact_state(tmp_path):
    path = tmp_path / "a folder" / "run-checkpoint.json"
    for state in (OLD, NEW):
        for anchor in (None, ANCHOR):
            found = accepted(loaded(saved(state, anchor=anchor)))
            kept = "with an anchor" if anchor else "without an anchor"
            assert found == "it loads", f"a checkpoint {kept} that nobody changed must load"
            checkpoint = save_checkpoint(path, state, anchor=anchor)
            found = load_checkpoint(str(path))
            assert standing(found.state) == standing(state), "the state must come back as it was saved"
            assert found.state == state, "every field of the state must come back"
            assert found.anchor == anchor, "the anchor must come back as it was saved"
            assert found == checkpoint, "what is loaded must be what the save returned"
            assert len(found.checksum_sha256) == 64, "a checkpoint must hold a SHA-256"
            files = [file.name for file in path.parent.iterdir()]
            assert files == ["run-checkpoint.json"], "a save must leave its file and nothing beside it"


def test_checkpoint_corruption_is_rejected():
    expected = "ValueError: … checksum mismatch …"
    for field, value in {"write_allowed": True, "current_step": "delete", "last_event_id": "e99"}.items():
        content = json.loads(saved(NEW))
        content["state"][field] = value
        found = refused("checksum mismatch", loaded(text(content)))
        assert found == expected, f"a changed {field} must be rejected"
    content = json.loads(saved(NEW, anchor=ANCHOR))
    content["anchor"]["count"] = 6
    found = refused("checksum mismatch", loaded(text(content)))
    assert found == expected, "a changed anchor must be rejected"
    found = refused("checksum mismatch", loaded(text(content, indent=None)))
    assert found == expected, "a change must be named before the form of the file"


def test_unknown_checkpoint_version_is_rejected():
    content = json.loads(saved(NEW))
    for version in (2, 10, 999, -1):
        words = f"unsupported checkpoint schema version: {version}"
        expected = f"ValueError: … {words} …"
        found = refused(words, loaded(written({**content, "schema_version": version})))
        assert found == expected, f"version {version} must be rejected"
        found = refused(words, loaded(written({**content, "schema_version": version, "of tomorrow": None})))
        assert found == expected, f"version {version} must be rejected, whatever else it holds"
        found = refused(words, loaded(text({**content, "schema_version": version})))
        assert found == expected, f"version {version} must be rejected before its checksum is asked for"


def test_a_value_of_another_kind_is_rejected_by_name():
    content = json.loads(saved(NEW))
    others = {"status": "paused", "write_allowed": "yes", "version": "100", "run_id": {"class": "Run"}}
    for field, value in {**others, "owner": "nobody"}.items():
        words = f"CheckpointEnvelope.state.{field} was refused"
        found = refused(words, loaded(written({**content, "state": {**content["state"], field: value}})))
        assert found == f"ValueError: … {words} …", f"the {field} {value!r} must be rejected"
    found = kind_of_refusal(written({**content, "state": {**content["state"], "status": "paused"}}))
    assert found == "CheckpointRefused", (
        "a refusal must be a CheckpointRefused, or nobody goes back to an earlier checkpoint"
    )
    words = "CheckpointEnvelope.state.run_id was refused"
    found = refused(words, loaded(written({**content, "state": {"status": "running"}})))
    assert found == f"ValueError: … {words} …", "a state without its fields must be rejected"


def test_an_older_checkpoint_is_brought_up_to_date():
    def older(content):
        """The fields of a checkpoint of version 0 that says the same."""
        state = dict(content["state"])
        del state["failure_reason"]
        state["may_write"] = state.pop("write_allowed")
        return {**content, "schema_version": 0, "state": state}

    for state in (OLD, NEW):
        for anchor in (None, ANCHOR):
            found = loaded(written(older(json.loads(saved(state, anchor=anchor)))))
            assert found == standing(state), "a checkpoint of version 0 must load as one of version 1"

    file = written(older(json.loads(saved(NEW))))
    found = refused("checksum mismatch", loaded(file.replace(b'"may_write": false', b'"may_write": true')))
    assert found == "ValueError: … checksum mismatch …", "an older checkpoint must be verified before its use"

    fields = older(json.loads(saved(NEW)))
    del fields["state"]["may_write"]
    found = refused("checkpoint does not hold a state", loaded(written(fields)))
    assert found == "ValueError: … checkpoint does not hold a state …", (
        "a permission that an older checkpoint does not mention must not be made up"
    )
    words = "CheckpointEnvelope.state.write_allowed was refused"
    for other in ("false", None, 0):
        fields["state"]["may_write"] = other
        found = refused(words, loaded(written(fields)))
        assert found == f"ValueError: … {words} …", f"the permission {other!r} must not be made True or False"

    content = json.loads(saved(NEW, anchor=ANCHOR))
    fields = older(content)
    assert from_version_0(fields) == content, "a step must give the fields as the next version has them"
    assert fields == older(content), "a step must not change the fields it was given"


def test_an_empty_checkpoint_is_damage_and_not_a_fresh_start():
    data = saved(NEW)
    for size in (0, 1, 40, len(data) - 2):
        found = refused("checkpoint is damaged", loaded(data[:size]))
        assert found == "ValueError: … checkpoint is damaged …", (
            f"a file cut to {size} bytes must be rejected"
        )
    found = refused("is empty", loaded(b""))
    assert found == "ValueError: … is empty …", "an empty checkpoint must be called empty"
    found = refused("recover from", loaded(b""))
    assert found == "ValueError: … recover from …", "the refusal must say what to do"
    try:
        found = standing(load_checkpoint(PATH, disk=FakeDisk()).state)
    except (ValueError, OSError) as error:
        found = refusal(error)
    assert found == "it raised FileNotFoundError", (
        "having no checkpoint must be told apart from having a damaged one"
    )


def test_a_power_cut_leaves_the_old_checkpoint_or_the_new_one():
    later = NEW.model_copy(update={"version": 101})
    disk = FakeDisk({PATH: saved(OLD)})
    save_checkpoint(PATH, NEW, disk=disk)
    for number, operation in enumerate(["the start", *(done.name for done in disk.operations)]):
        for left in disk.states_after_cut(number):
            found = whole(loaded(left.get(PATH, b"")), OLD, NEW)
            assert found == "a whole checkpoint", f"a cut after {operation} must leave the old one or the new"
            again = FakeDisk(left)
            save_checkpoint(PATH, later, disk=again)
            found = held(again)
            assert found == "the checkpoint alone", f"what a cut after {operation} leaves must be cleared"
    for left in disk.states_after_cut(number):
        found = loaded(left.get(PATH, b""))
        assert found == standing(NEW), "once the save has returned, a cut must leave the new one"


def test_the_last_good_checkpoint_is_found_and_the_others_are_named():
    content = json.loads(saved(NEW))
    paused = written({**content, "state": {**content["state"], "status": "paused"}})
    files = {"10.json": paused, "9.json": bytes(300), "8.json": saved(NEW)[:-9], "7.json": saved(OLD)}
    disk = FakeDisk(files)
    found = load_last_good(files, disk=disk)
    assert found.path.name == "7.json", "the first checkpoint that loads must be used"
    assert standing(found.checkpoint.state) == standing(OLD), "it must be loaded as it was saved"
    names = [Path(error.evidence["path"]).name for error in found.refused]
    assert names == ["10.json", "9.json", "8.json"], "those before it must be named"
    try:
        told = f"loaded {load_last_good(['10.json', '9.json', '8.json'], disk=disk).path.name}"
    except ValueError as error:
        told = f"ValueError: {error}"
    found = refused("no checkpoint can be loaded", told)
    assert found == "ValueError: … no checkpoint can be loaded …", "where none loads, none must be made up"


def test_two_writers_at_once_leave_one_whole_checkpoint():
    alone = FakeDisk({PATH: saved(OLD)})
    save_checkpoint(PATH, NEW, disk=alone)
    moments = [(number, done.name) for number, done in enumerate(alone.operations, start=1)]
    for number, moment in [*moments, (None, "the lock")]:
        disk = busy(number)
        found = attempt(save_checkpoint, PATH, NEW, disk=disk)
        assert found == "it returned", f"a second writer before {moment} must not stop the first"
        found = whole(loaded(disk.files[PATH]), MIDDLE, NEW)
        assert found == "a whole checkpoint", f"a second writer before {moment} must not mix with the first"
        found = held(disk)
        assert found == "the checkpoint alone", f"a second writer before {moment} must leave no litter"


def test_one_changed_digit_is_rejected():
    data = saved(NEW)
    checksum = json.loads(data)["checksum_sha256"]
    found = loaded(data.replace(b'"version": 100', b'"version": 900'))
    expected = "ValueError: … checksum mismatch …"
    assert refused("checksum mismatch", found) == expected, "100 that has become 900 must be rejected"
    told = found.partition(" records ")[2][:12] or checksum[:12]
    assert told == checksum[:12], "what a refusal calls recorded must be what the file records"
    for place in (0, 63):
        digit = "0" if checksum[place] != "0" else "1"
        other = checksum[:place] + digit + checksum[place + 1 :]
        found = refused("checksum mismatch", loaded(data.replace(checksum.encode(), other.encode())))
        assert found == expected, f"a checksum whose digit {place + 1} is another must be rejected"


def test_a_save_that_fails_leaves_a_whole_checkpoint():
    alone = FakeDisk({PATH: saved(OLD)})
    save_checkpoint(PATH, NEW, disk=alone)
    for number, operation in enumerate(alone.operations, start=1):
        folder = operation.path if "folder" in operation.name else operation.path.parent
        assert folder == PATH.parent, f"{operation.name} must stay in the folder of the checkpoint"
        for error in (OSError(28, os.strerror(28)), KeyboardInterrupt()):
            disk = FakeDisk({PATH: saved(OLD)}, fail={number: error})
            told = attempt(save_checkpoint, PATH, NEW, disk=disk)
            kind = "StorageError" if isinstance(error, OSError) else "KeyboardInterrupt"
            ended = f"a save whose {operation.name} raises {kind}"
            assert told == f"it raised {kind}", f"{ended} must raise it too"
            found = whole(loaded(disk.files.get(PATH, b"")), OLD, NEW)
            assert found == "a whole checkpoint", f"{ended} must leave a whole checkpoint"
            assert held(disk) == "the checkpoint alone", f"{ended} must leave no litter"


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
        found = refused("write_allowed", loaded(saved(NEW).replace(once, twice)))
        assert found == "ValueError: … write_allowed …", (
            "a key given twice must be rejected by its name, not read as its last value"
        )


def test_only_the_bytes_that_were_saved_load():
    data = saved(NEW)
    fields = json.loads(data)
    defaulted = {**fields, "state": {k: v for k, v in fields["state"].items() if k != "failure_reason"}}
    others = {
        "without line breaks": text(fields, indent=None),
        "with escapes": text(fields, ensure_ascii=True),
        "with other line ends": data.replace(b"\n", b"\r\n"),
        "with a space at the end": data + b" ",
        "without its last newline": data[:-1],
        "in another order": text(dict(reversed(fields.items())), sort_keys=False),
        "with a field left out": text(defaulted),
    }
    words = "not byte for byte"
    for how, other in others.items():
        found = refused(words, loaded(other))
        assert found == f"ValueError: … {words} …", f"the same checkpoint {how} must be rejected"
