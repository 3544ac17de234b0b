# %% [markdown]
# Stage 3: the inputs that answers are graded on. How the cells of this file are used says stage 1's.

# %% tags=["kernel"]
import base64
import copy
import json
from contextlib import contextmanager
from pathlib import Path

from forge.errors import CheckpointRefused, StorageError
from forge.fakes import FakeDisk
from forge.grading.inside.outcomes import outcome, scene
from forge.state.checkpoint import CheckpointEnvelope, load_checkpoint

PATH = Path("runs/run.json")
WORDS = (
    "checksum mismatch",
    "checkpoint is damaged",
    "is empty",
    "unsupported checkpoint schema version",
    "checkpoint does not hold a state",
    "not byte for byte",
)


def shown(value):
    return (
        value.model_dump(mode="json")
        if isinstance(value, CheckpointEnvelope)
        else f"a {type(value).__name__}"
    )


def compare_the_checksum(load_checkpoint, given):
    data = None if given["file"] is None else base64.b64decode(given["file"])
    disk = FakeDisk({} if data is None else {PATH: data})

    def recorded(said):
        after = said.partition(" records ")[2][:12]
        return not after or after.encode() in data

    return outcome(lambda: shown(load_checkpoint(PATH, disk=disk)), words=WORDS, tell=recorded)


def hollow_state(read_envelope, given):
    data = base64.b64decode(given["file"])
    kinds = (CheckpointRefused, ValueError)
    return outcome(lambda: shown(read_envelope(data, PATH)), words=given["words"], kinds=kinds)


def newer_version_loads(require_readable, given):
    words = [f"unsupported checkpoint schema version: {given['version']}"]
    return outcome(lambda: require_readable(given["version"], given["known"], PATH), words=words)


def out_of_version_0(from_version_0, given):
    fields = copy.deepcopy(given)
    try:
        return {"returned": from_version_0(fields), "given": fields}
    except (KeyError, TypeError, ValueError):
        return {"raised": "KeyError"}


class Meeting(FakeDisk):
    """A disk on which somebody else comes by, once, as the lock of a new file is asked for."""

    come = None

    @contextmanager
    def lock(self, path, **how):
        if self.come and path.name.endswith(".tmp"):
            come, self.come = self.come, None
            come()
        with super().lock(path, **how):
            yield


def replace_in_one_step(atomic_replace, given):
    path, old, new, other = Path(given["path"]), *(given[name].encode() for name in ("old", "new", "other"))
    first = {path: old} if given["old"] else {}
    alone = FakeDisk(first)
    atomic_replace(path, new, disk=alone)
    whole = {old: "the old", new: "the new", other: "the other"}

    def left(files):
        return [whole.get(files.get(path), "a part"), len(files)]

    def tried(disk):
        try:
            atomic_replace(path, new, disk=disk)
        except (StorageError, KeyboardInterrupt) as error:
            return type(error).__name__
        return "returned"

    found = []
    match given["what"]:
        case "alone":
            places = {str(one.path if "folder" in one.name else one.path.parent) for one in alone.operations}
            found = [alone.files[path].decode(), len(alone.files), sorted(places)]
        case "cut":
            for number in range(len(alone.operations) + 1):
                found += [left(files)[0] for files in alone.states_after_cut(number)]
            last = [left(files)[0] for files in alone.states_after_cut(len(alone.operations))]
            found = [sorted(set(found)), sorted(set(last))]
        case "cleared":
            for number in range(len(alone.operations) + 1):
                for files in alone.states_after_cut(number):
                    again = FakeDisk(files)
                    atomic_replace(path, other, disk=again)
                    found.append(left(again.files))
            found = sorted(map(list, set(map(tuple, found))))
        case "refused":
            for number in range(1, len(alone.operations) + 1):
                error = KeyboardInterrupt() if given["interrupt"] else OSError(28, "No space left on device")
                disk = FakeDisk(first, fail={number: error})
                found.append((tried(disk), *left(disk.files)))
            found = sorted(map(list, set(found)))
        case "lock":
            disk = Meeting(first)
            disk.come = lambda: atomic_replace(path, other, disk=disk)
            found = [tried(disk), *left(disk.files)]
        case "two":
            for number in range(1, len(alone.operations) + 1):
                disk = FakeDisk(first, before={number: lambda: atomic_replace(path, other, disk=disk)})  # noqa: B023
                found.append((tried(disk), left(disk.files)[0] != "a part", len(disk.files)))
            found = sorted(map(list, set(found)))
    return {"returned": [given["what"], given["new"], found]}


def frontend_checkpoint(answer, given):
    def edited():
        for path in sorted(Path.cwd().rglob("*")):
            try:
                fields = json.loads(path.read_bytes())
                if fields["state"]["write_allowed"] is True:
                    yield path, fields
            except (OSError, ValueError, LookupError, TypeError):
                continue

    def told(checkpoint):
        state = checkpoint.state.model_dump(mode="json")
        names = ("run_id", "status", "current_step", "write_allowed", "version")
        files = []
        for path, fields in edited():
            same = fields["state"] == {**state, "write_allowed": True}
            kept = fields["checksum_sha256"] == checkpoint.checksum_sha256
            files.append([same, kept, outcome(lambda: load_checkpoint(path), words=WORDS[:1])])  # noqa: B023
        return [{name: state[name] for name in names}, files]

    return scene(answer, given, told)


edited_state_loads = damage_is_a_fresh_start = compare_the_checksum
fixed_temporary_name = replace_in_one_step

# %%
from forge.chain import canonical, sha256
from forge.grading.stripped import changed, faulty, in_other_words, reference
from forge.log import Anchor
from forge.state.checkpoint import save_checkpoint
from forge.state.models import RunState

STEM = "03_checkpoint_contract"
LOAD = "forge.state.checkpoint:load_checkpoint"
CHECKSUM = "forge.state.checkpoint:checkpoint_checksum"
FIELDS = "forge.state.checkpoint:checkpoint_fields"
STEPS = ("inspect", "review café", "draft", "collect sources", "translate 文")


def a_state(rng, **more):
    fields = {
        "run_id": f"run-{rng.randrange(100, 999)}",
        "status": "running",
        "version": rng.randrange(100, 900),
        "last_event_id": f"e{rng.randrange(9_999)}",
        "current_step": rng.choice(STEPS),
        "write_allowed": rng.random() < 0.5,
    }
    return RunState(**{**fields, **more})


def an_anchor(rng):
    return Anchor(count=rng.randrange(100, 900), head=f"{rng.randrange(16**8):08x}" * 8)


def saved(state, anchor=None):
    disk = FakeDisk()
    save_checkpoint(PATH, state, anchor=anchor, disk=disk)
    return disk.files[PATH]


def text(fields, **how):
    how = {"ensure_ascii": False, "sort_keys": True, "indent": 2, **how}
    return (json.dumps(fields, **how) + "\n").encode()


def written(fields):
    """The fields with the checksum that is right for them."""
    fields = {key: value for key, value in fields.items() if key != "checksum_sha256"}
    return text({**fields, "checksum_sha256": sha256(canonical(fields))})


def older(data):
    """The same in version 0."""
    fields = json.loads(data)
    state = fields["state"]
    del state["failure_reason"]
    state["may_write"] = state.pop("write_allowed")
    return {**fields, "schema_version": 0}


def a_file(data, **more):
    return {"file": None if data is None else base64.b64encode(data).decode(), **more}


# %%
def of_load_checkpoint(rng):
    def edit(write_allowed, field, value, **how):
        fields = json.loads(saved(a_state(rng, write_allowed=write_allowed), an_anchor(rng)))
        fields["state"][field] = value
        return a_file(text(fields, **how))

    data = saved(a_state(rng))
    checksum = json.loads(data)["checksum_sha256"]

    def digit(place):
        other = "0" if checksum[place] != "0" else "1"
        return a_file(
            data.replace(checksum.encode(), (checksum[:place] + other + checksum[place + 1 :]).encode())
        )

    yield "a state that may write comes back", a_file(saved(a_state(rng, write_allowed=True)))
    yield "a state that may not write comes back", a_file(saved(a_state(rng, write_allowed=False)))
    yield "an anchor comes back", a_file(saved(a_state(rng), an_anchor(rng)))
    yield "a state in letters of all kinds comes back", a_file(saved(a_state(rng, current_step=STEPS[-1])))
    yield "a checkpoint of version 0 is brought up to date", a_file(written(older(saved(a_state(rng)))))
    yield "a permission that was changed is noticed", edit(False, "write_allowed", True)
    yield "a step that was changed is noticed", edit(True, "current_step", "delete")
    yield (
        "a step that was changed in a run without permission is noticed",
        edit(False, "current_step", "push"),
    )
    yield "an id that was changed is noticed", edit(rng.random() < 0.5, "last_event_id", "e1")
    yield "a change is named before the form of the file", edit(True, "version", 7, indent=None)
    fields = json.loads(saved(a_state(rng), an_anchor(rng)))
    fields["anchor"]["count"] += 1
    yield "an anchor that was changed is noticed", a_file(text(fields))
    yield "the first digit of the checksum counts", digit(0)
    yield "the last digit of the checksum counts", digit(63)
    yield "a digit in the middle counts", digit(rng.randrange(12, 60))
    yield (
        "an older checkpoint is verified before its use",
        a_file(
            written(older(saved(a_state(rng, write_allowed=False)))).replace(
                b'may_write": false', b'may_write": true'
            )
        ),
    )
    yield "an empty file is damage", a_file(b"")
    yield "a file of zeros is damage", a_file(bytes(rng.randrange(50, 300)))
    for size in (1, rng.randrange(20, 100), len(data) - 2):
        yield "a file that was cut is damage", a_file(data[:size])
    yield "having no checkpoint is another thing", a_file(None)
    newer = {**json.loads(data), "schema_version": rng.randrange(2, 50)}
    yield "a newer version is refused", a_file(written(newer))
    yield "a newer version is refused before its checksum is asked for", a_file(text(newer))
    yield "the right content in other bytes is refused", a_file(text(json.loads(data), indent=4))
    yield (
        "a state of another kind is refused",
        a_file(written({**json.loads(data), "state": {**json.loads(data)["state"], "status": "paused"}})),
    )


def of_read_envelope(rng):
    data = saved(a_state(rng))
    fields = json.loads(data)
    others = {
        "status": "paused",
        "write_allowed": "yes",
        "version": "100",
        "run_id": {"class": "Run"},
        "owner": "x",
    }
    words = [f"CheckpointEnvelope.state.{field} was refused" for field in (*others, "last_event_id")]

    def case(state):
        return a_file(text({**fields, "state": state}), words=words)

    for _ in range(3):
        anchor = an_anchor(rng) if rng.random() < 0.5 else None
        yield "a checkpoint is read", a_file(saved(a_state(rng), anchor), words=words)
    for field, value in others.items():
        yield f"the field {field} of another kind is refused by name", case({**fields["state"], field: value})
    less = dict(fields["state"])
    del less["last_event_id"]
    yield "a state that lacks a field is refused", case(less)


def of_require_readable(rng):
    def case(version, known):
        return {"version": version, "known": known}

    yield "today's version can be read", case(1, 1)
    yield "a version that a step leads out of can be read", case(0, 1)
    known = rng.randrange(12, 40)
    yield "the version that is known can be read, whichever it is", case(known, known)
    yield "version 0 can be read by a later forge", case(0, known)
    yield "the next version cannot", case(2, 1)
    yield "a version far ahead cannot", case(rng.randrange(10, 20), 1)
    yield "a version very far ahead cannot", case(rng.randrange(100, 999), 1)
    yield "a version from before the first cannot", case(-rng.randrange(1, 9), 1)
    yield "a version ahead of another known one cannot", case(known + 1, known)
    yield "a version before the known one that no step leads out of cannot", case(rng.randrange(2, 9), known)


def of_from_version_0(rng):
    def case(**state):
        anchor = an_anchor(rng) if rng.random() < 0.5 else None
        fields = older(saved(a_state(rng), anchor))
        fields["state"].update(state)
        fields.pop("checksum_sha256")
        return fields

    for may_write in (True, False, True, False):
        yield f"a permission that was {may_write} stays", case(may_write=may_write)
    yield "a permission of another kind is not mended", case(may_write="no")
    for _ in range(2):
        missing = case()
        del missing["state"]["may_write"]
        yield "a permission that is not mentioned is not made up", missing


def of_atomic_replace(rng):
    def case(what, *, fresh=False, interrupt=False):
        old, new, other = (f"{word} {rng.randrange(10_000)}" for word in ("old", "new", "other"))
        path = rng.choice(("runs/a.json", "runs/deep/b.json", "c.json"))
        old = "" if fresh else old
        return {"what": what, "path": path, "old": old, "new": new, "other": other, "interrupt": interrupt}

    yield "a file is replaced, and nothing is beside it", case("alone")
    yield "a new file is made", case("alone", fresh=True)
    for _ in range(2):
        yield "a power cut leaves the old file or the new one", case("cut")
        yield "what a power cut leaves is cleared by the next writer", case("cleared")
        yield "a disk that refuses leaves a whole file", case("refused")
    yield "an interrupt leaves a whole file", case("refused", interrupt=True)
    yield "a second writer at any moment does no harm", case("two")
    yield "a second writer before the lock does no harm", case("lock")


def of_frontend_checkpoint(rng):
    yield "forge as it is", {LOAD: reference(LOAD)}
    yield "forge with a load in other words", {LOAD: in_other_words(reference(LOAD), rng)}
    yield "forge with a checksum in other words", {CHECKSUM: in_other_words(reference(CHECKSUM), rng)}
    yield "a forge that mends in silence is noticed", faulty(STEM, "mended_in_silence")
    yield "a forge that does not save the step is noticed", faulty(STEM, "step_not_saved")
    yield (
        "a forge whose checksum leaves out the permission is noticed",
        faulty(STEM, "permission_not_covered"),
    )
    yield (
        "a forge that compares no checksum is noticed",
        changed(LOAD, "if not hmac", "if False and not hmac"),
    )
    words = "raise checksum_mismatch(envelope.checksum_sha256, expected, path)"
    yield "a forge that refuses for another reason is noticed", changed(LOAD, words, 'raise ValueError("no")')
    given = "if not hmac.compare_digest(expected, envelope.checksum_sha256):"
    part = "if expected[:0] != envelope.checksum_sha256[:0]:"
    yield "a forge that compares no digit is noticed", changed(LOAD, given, part)


# %%
PROBES = {
    "replace_in_one_step": of_atomic_replace,
    "fixed_temporary_name": of_atomic_replace,
    "newer_version_loads": of_require_readable,
    "out_of_version_0": of_from_version_0,
    "hollow_state": of_read_envelope,
    "compare_the_checksum": of_load_checkpoint,
    "edited_state_loads": of_load_checkpoint,
    "damage_is_a_fresh_start": of_load_checkpoint,
    "frontend_checkpoint": of_frontend_checkpoint,
}
