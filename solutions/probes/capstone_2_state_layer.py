# %% [markdown]
# Capstone 2: the inputs that answers are graded on. How the cells of this file are used says stage 1's.

# %% tags=["kernel"]
import base64
from pathlib import Path, PurePosixPath

from forge.errors import LedgerDamaged, StorageError
from forge.fakes import FakeDisk
from forge.grading.inside.outcomes import outcome, scene
from forge.longrun import Feature, Ledger, Spent, load_state
from forge.longrun.store import encode

STATE = Path("work/state")
FILE = STATE / "run.json"


def ledger_of(given):
    fields = {**given, "spent": Spent(**given.get("spent", {}))}
    return Ledger(**fields)


def shown(ledger):
    return ledger.model_dump(mode="json") if isinstance(ledger, Ledger) else f"a {type(ledger).__name__}"


def summarize(summarize_state, given):
    features = [Feature(*one) for one in given["features"]]

    def told():
        first, *rest = summarize_state(ledger_of(given["ledger"]), features).split("\n")
        return [first, sorted(rest[:-1]), rest[-1:]]

    return outcome(told)


def rebuild(rebuild_context, given):
    features = [Feature(*one) for one in given["features"]]
    return outcome(lambda: rebuild_context(given["base"], ledger_of(given["ledger"]), features))


class Taken(FakeDisk):
    """A disk on which the first names that are asked for are taken by somebody else."""

    def __init__(self, files, count):
        super().__init__(files)
        self.count, self.others = count, []

    def create(self, path, data):
        if self.count:
            self.count -= 1
            self.others.append(path)
            super().create(path, b"somebody else's")
        super().create(path, data)


def write_temp(write_state_temp, given):
    ledger, other = ledger_of(given["ledger"]), Ledger()
    disk = Taken({FILE: encode(other)} if given["old"] else {}, given["taken"])

    def written():
        path = write_state_temp(STATE, ledger, disk=disk)
        now = disk.operations
        cut = {files.get(path, encode(ledger)) == encode(ledger) for files in disk.states_after_cut(len(now))}
        others = {disk.files[path] for path in disk.others}
        return [
            path.parent == STATE,
            disk.files[path] == encode(ledger),
            sorted(cut),
            sorted(map(bytes.decode, others)),
            disk.files.get(FILE) == (encode(other) if given["old"] else None),
            len(disk.files),
        ]

    return outcome(written)


def commit_temp(commit_state_temp, given):
    temp, old, new = STATE / given["temp"], Ledger(), ledger_of(given["ledger"])
    files = {temp: encode(new), **({FILE: encode(old)} if given["old"] else {})}
    disk = FakeDisk(files, fail={1: OSError(5, "Input/output error")} if given["fails"] else {})

    def committed():
        commit_state_temp(STATE, temp, disk=disk)
        return "returned"

    found = outcome(committed, kinds=(StorageError,))
    left = set()
    for count in range(len(disk.operations) + 1):
        for files in disk.states_after_cut(count):
            left.add({encode(old): "old", encode(new): "new", None: "none"}.get(files.get(FILE), "other"))
    at_last = {
        {encode(old): "old", encode(new): "new", None: "none"}.get(files.get(FILE), "other")
        for files in disk.states_after_cut(len(disk.operations))
    }
    return {**found, "left": [sorted(left), sorted(at_last), len(disk.files)]}


def load(load_state, given):
    data = None if given["file"] is None else base64.b64decode(given["file"])

    class Failing(FakeDisk):
        def read(self, path, offset=0, size=None):
            raise StorageError("the disk refused", f"cannot read {path}.")

    disk = (Failing if given.get("fails") else FakeDisk)({} if data is None else {FILE: data})
    return outcome(
        lambda: shown(load_state(STATE, disk=disk)), words=[str(FILE)], kinds=(LedgerDamaged, StorageError)
    )


def truncate_then_write(save_state, given):
    old, new = Ledger(), ledger_of(given["ledger"])
    disk = FakeDisk({FILE: encode(old)} if given["old"] else {})

    def saved():
        save_state(STATE, new, disk=disk)
        left = set()
        for count in range(len(disk.operations) + 1):
            for files in disk.states_after_cut(count):
                left.add({encode(old): "old", encode(new): "new", None: "none"}.get(files.get(FILE), "other"))
        last = disk.states_after_cut(len(disk.operations))
        kept = {files.get(FILE) == encode(new) for files in last}
        return [given["old"], shown(new), sorted(left), sorted(kept), len(disk.files)]

    return outcome(saved)


def temp_elsewhere(temp_path, given):
    folder = Path(given["folder"])

    def named():
        paths = [temp_path(folder) for _ in range(given["count"])]
        return [sorted({str(PurePosixPath(path.parent)) for path in paths}), len(set(paths))]

    return outcome(named)


def believes_memory(window_ledger, given):
    held = ledger_of(given["held"])
    files = {} if given["disk"] is None else {FILE: encode(ledger_of(given["disk"]))[: given["left"]]}
    return outcome(lambda: shown(window_ledger(STATE, held, disk=FakeDisk(files))), kinds=(LedgerDamaged,))


def ledger_in_the_target(state_folder, given):
    return outcome(lambda: str(PurePosixPath(state_folder(Path(given["work"])))))


def attempts_reset(opened_window, given):
    return outcome(lambda: shown(opened_window(ledger_of(given))))


def crawl_frontier(answer, given):
    def told(found):
        decisions, ledger = found
        kept = load_state(Path.cwd() / "state")
        return [[list(one) for one in decisions], list(ledger.done), dict(ledger.attempts), kept == ledger]

    return scene(answer, given, told)


another_word = summarize
restarts_from_zero = load

# %%
import json

from forge.grading.stripped import changed, faulty, in_other_words, reference

STEM = "capstone_2_state_layer"
SUMMARY = "forge.longrun.summary:summarize_state"
BEGUN = "forge.longrun.ledger:begun"


def features_of(rng):
    count = rng.randrange(5, 60)
    return [[f"F{n:02}", f"feature {rng.randrange(1000)}"] for n in range(1, count + 1)]


def a_ledger(rng, names=None, *, current=True, windows=None):
    """A ledger of some of the names: some done, in any order, some tried, one perhaps in hand."""
    names = names or [f"F{n:02}" for n in range(1, rng.randrange(6, 20))]
    tried = rng.sample(names, rng.randrange(3, min(9, len(names)) + 1))
    done = tried[: rng.randrange(1, len(tried) - 1)]
    windows = windows or rng.randrange(2, 50)
    return {
        "done": done,
        "current": tried[-1] if current else None,
        "attempts": {name: rng.randrange(1, 7) for name in tried},
        "spent": {"windows": windows, "steps": windows + rng.randrange(2, 50)},
    }


def encoded(fields):
    return encode(ledger_of(fields))


# %%
def of_summarize_state(rng):
    def case(ledger, features=None):
        return {"ledger": ledger, "features": features or features_of(rng)}

    def from_features(**more):
        features = features_of(rng)
        return case(a_ledger(rng, [name for name, _ in features], **more), features)

    for _ in range(3):
        yield "what is done, spent, tried and in hand is told", from_features()
    yield "nothing is in hand", from_features(current=False)
    yield "a night that has done nothing", case({})
    once = {"done": ["F03"], "attempts": {"F03": 1}, "spent": {"windows": 1, "steps": 1}}
    yield "one window and one step", case(once)
    again = a_ledger(rng)
    yield "what is in hand is done already", case({**again, "current": again["done"][0]})
    one = {"current": "F02", "attempts": {"F02": 1, "F01": rng.randrange(5, 30)}}
    yield "one start is one start", case(one)
    paths = ["/", "/about", "/news/2026", "/ü"]
    page = {"done": ["/about", "/"], "attempts": {"/": 1, "/about": 2, "/ü": 3}}
    yield "ids of another kind", case(page, [[path, "a page"] for path in paths])


def of_rebuild_context(rng):
    def case():
        features = features_of(rng)
        base = f"Task {rng.randrange(1000)}\n" + "".join(f"- {name}: {text}\n" for name, text in features)
        return {"base": base, "features": features, "ledger": a_ledger(rng, [name for name, _ in features])}

    for _ in range(4):
        yield "the opening of a window", case()
    yield "the opening of the first window", {**case(), "ledger": {}}
    yield "an opening without a task", {**case(), "base": ""}


def of_write_state_temp(rng):
    for old in (True, False):
        for taken in (0, 1, rng.randrange(2, 6)):
            words = f"{'beside a ledger' if old else 'in a new folder'}, {taken} names taken"
            yield words, {"ledger": a_ledger(rng), "old": old, "taken": taken}


def of_commit_state_temp(rng):
    for old in (True, False):
        for fails in (False, True):
            for _ in range(2):
                words = "over a ledger" if old else "as the first one"
                temp = f".run.json.tmp-{rng.randrange(1, 9999)}-{rng.randrange(1, 99)}"
                ledger = a_ledger(rng)
                given = {"temp": temp, "ledger": ledger, "old": old, "fails": fails}
                yield f"{words}{', on a disk that refuses' if fails else ''}", given


def of_load_state(rng):
    def case(data, **more):
        return {"file": None if data is None else base64.b64encode(data).decode(), **more}

    whole = encoded(a_ledger(rng))
    fields = json.loads(whole)

    def edited(**more):
        return case((json.dumps({**fields, **more}, ensure_ascii=False, indent=2) + "\n").encode())

    for _ in range(3):
        yield "a whole ledger", case(encoded(a_ledger(rng)))
    yield "an empty ledger", case(encoded({}))
    yield "no file", case(None)
    yield "an empty file", case(b"")
    yield "zeros", case(bytes(rng.randrange(5, 200)))
    for size in (1, rng.randrange(5, len(whole) - 5), len(whole) - 1):
        yield "a file that was cut", case(whole[:size])
    yield "two ledgers", case(whole * 2)
    yield "null", case(b"null\n")
    yield "a list", case(b"[]\n")
    yield "other spaces", case(json.dumps(fields).encode() + b"\n")
    yield "a field too many", edited(note="x")
    yield "an attempt that is no number", edited(attempts={**fields["attempts"], fields["done"][0]: "2"})
    yield "a feature that is done twice", edited(done=[*fields["done"], fields["done"][0]])
    yield "a feature that was never begun", edited(current="F99")
    yield "a disk that refuses", case(whole, fails=True)


def of_save_state(rng):
    for old in (True, False):
        for _ in range(3):
            words = "over a ledger" if old else "as the first one"
            yield f"saved {words}, with a power cut at any moment", {"ledger": a_ledger(rng), "old": old}


def of_temp_path(rng):
    for folder in ("work/state", "state", "/srv/night/state", f"run-{rng.randrange(100)}", "a/b/c", "."):
        yield f"names in {folder}", {"folder": folder, "count": rng.randrange(2, 40)}


def of_window_ledger(rng):
    def case(held, disk, left=None):
        return {"held": held, "disk": disk, "left": left}

    for _ in range(3):
        yield "memory and disk disagree", case(a_ledger(rng), a_ledger(rng))
    more = a_ledger(rng)
    less = {**more, "done": [], "current": None}
    yield "memory knows more", case(more, less)
    yield "the disk knows more", case(less, more)
    yield "a process that knows nothing", case({}, a_ledger(rng))
    yield "an empty ledger on disk", case(a_ledger(rng), {})
    yield "nothing on disk", case(a_ledger(rng), None)
    yield "half a ledger on disk", case(more, less, rng.randrange(5, 50))
    yield "an empty file on disk", case(more, less, 0)


def of_state_folder(rng):
    for work in ("work", "work/no-state", "/srv/night", f"run-{rng.randrange(100)}", "a/b/c", "repo"):
        yield f"in {work}", {"work": work}


def of_opened_window(rng):
    for _ in range(4):
        yield "a window in mid-night", a_ledger(rng)
    yield "a window with nothing in hand", a_ledger(rng, current=False)
    yield "the first window", {}
    yield "a feature that failed often", {"attempts": {"F01": rng.randrange(4, 90)}}


def of_crawl_frontier(rng):
    yield "forge as it is", {SUMMARY: reference(SUMMARY)}
    yield "forge with a summary in other words", {SUMMARY: in_other_words(reference(SUMMARY), rng)}
    yield "forge with a beginning in other words", {BEGUN: in_other_words(reference(BEGUN), rng)}
    yield "a forge that calls done what has begun is noticed", faulty(STEM, "begun_is_done")
    yield "a forge that leaves out what is unknown is noticed", faulty(STEM, "unknown_left_out")
    yield "a forge that forgets failures is noticed", faulty(STEM, "failure_forgotten")
    counted = "ledger.attempts.get(feature, 0) + 1"
    yield "a forge that counts every attempt as the first is noticed", changed(BEGUN, counted, "1")


# %%
PROBES = {
    "summarize": of_summarize_state,
    "another_word": of_summarize_state,
    "rebuild": of_rebuild_context,
    "temp_elsewhere": of_temp_path,
    "write_temp": of_write_state_temp,
    "commit_temp": of_commit_state_temp,
    "load": of_load_state,
    "restarts_from_zero": of_load_state,
    "truncate_then_write": of_save_state,
    "believes_memory": of_window_ledger,
    "ledger_in_the_target": of_state_folder,
    "attempts_reset": of_opened_window,
    "crawl_frontier": of_crawl_frontier,
}
