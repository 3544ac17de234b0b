# %% [markdown]
# Stage 7: the inputs that answers are graded on. How the cells of this file are used says stage 1's.

# %% tags=["kernel"]
import base64
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from forge.errors import LogError, SequenceGap, StaleWriter, StorageError
from forge.fakes import FakeDisk
from forge.grading.inside.outcomes import outcome, scene
from forge.lines import Anchor, Place
from forge.log import ChainLog
from forge.memory import MemoryRecord, MemoryScope, MemoryStore
from forge.replay import Deletion, DerivedSummaryCache

PATH = Path("runs/run-1.jsonl")
WORDS = (
    "a summary of a deleted memory is refused",
    "a summary of a deleted summary is refused",
    "a summary of an unknown summary is refused",
)


def data_of(given):
    return base64.b64decode(given)


def text_of(data):
    return base64.b64encode(data).decode()


def too_many_newlines(split_lines, given):
    def split():
        lines, rest = split_lines(data_of(given["data"]))
        return [[text_of(line) for line in lines], text_of(rest)]

    return outcome(split)


def damage_called_torn(refusal, given):
    place = Place(given["number"], given["head"], given["offset"])
    before = data_of(given["before"])

    def told():
        error = refusal(data_of(given["text"]), given["ended"], place, PATH, lambda size: before[:size])
        return [type(error).__name__, error.words, "two writers had read the same end" in str(error)]

    return outcome(told)


def ask_the_anchors(agreeing, given):
    lines = [(data_of(text), *more) for text, *more in given["lines"]]
    anchors = [anchor and Anchor(**anchor) for anchor in given["anchors"]]
    seen = []

    def read():
        seen.extend(line[1] for line in agreeing(iter(lines), anchors, PATH))
        return "all"

    return [outcome(read, words=given["words"], kinds=(LogError,)), seen]


class Meeting(FakeDisk):
    """A disk on which somebody else comes by, once: as the lock is asked for, or as it has been let go."""

    def __init__(self, files, *, come, when, **more):
        super().__init__(files, **more)
        self.come, self.when = come, when

    @contextmanager
    def lock(self, path, **how):
        self.meet("asked for")
        with super().lock(path, **how):
            yield
        self.meet("let go")

    def meet(self, when):
        if when == self.when:
            self.when = ""
            self.come()


def lock_let_go(append_json, given):
    kinds = (StaleWriter, SequenceGap, StorageError)
    told, data, event = [], data_of(given["data"]), given["event"].encode()

    def appended(log, event):
        def append():
            line, *more = append_json(log, event, expected=given["expected"])
            return [line.decode(), *more]

        return outcome(append, kinds=kinds)

    def come():
        told.append(appended(other, given["other"].encode()))

    when = given["when"]
    before = {when: come} if isinstance(when, int) else {}
    disk = Meeting({PATH: data}, come=come, when=when, before=before, short={3: 40} if given["short"] else {})
    log, other = ChainLog(PATH, disk=disk), ChainLog(PATH, disk=disk)
    told.append(appended(log, event))
    left = disk.files[PATH]
    if when:
        accepted = sum("returned" in each for each in told)
        return {"returned": [given["event"], accepted, len(told), left.count(b"\n")]}
    return [told[0], text_of(left)]


def cache_of(given):
    cache = DerivedSummaryCache("summaries.db", durable=False)
    with cache.database.writing() as connection:
        connection.executemany("INSERT INTO summaries VALUES (?, ?)", given["summaries"])
        connection.executemany("INSERT INTO sources VALUES (?, ?, ?, ?)", given["sources"])
        connection.executemany("INSERT INTO tombstones VALUES (?, ?)", given["tombstones"])
    return cache


def put(cache, each):
    name, memories, summaries = each
    return outcome(lambda: cache.put(name, memories, "Again.", source_summary_ids=summaries), words=WORDS)


def tombstone_rule(require_live, given):
    asked = given["asked"]
    words = [*WORDS, f"{asked[0]!r} names the {asked[1]} {asked[2]!r}"]
    with cache_of(given) as cache:
        return outcome(lambda: require_live(cache, *asked), words=words)


def one_level_deep(derived_from, given):
    with cache_of(given) as cache:
        return outcome(lambda: sorted(map(list, derived_from(cache, given["memory"]).items())))


def remember(store, name, content, ends):
    store.put(
        MemoryRecord(
            memory_id=name,
            scope=MemoryScope.USER,
            subject_id="user-1",
            content=content,
            created_at=datetime(2020, 1, 5, 9, 0, tzinfo=UTC),
            expires_at=ends and datetime.fromisoformat(ends),
        )
    )


def stored(store):
    return [row[0] for row in store.connection.execute("SELECT memory_id FROM memories ORDER BY memory_id")]


def files_that_say(text):
    names = {
        path.name.partition(".")[0] for path in Path.cwd().iterdir() if text.encode() in path.read_bytes()
    }
    return sorted(names)


class Killed(BaseException):
    """The process ends here."""


def delete_everywhere(delete_memory_everywhere, given):
    def killed(*_):
        raise Killed

    def fails(*_):
        raise StorageError("the disk refused")

    def deleted(store, cache):
        found = delete_memory_everywhere(store, cache, given["memory"])
        receipt = found.receipt
        before = sorted({path.name.partition(".")[0] for path, before, _ in receipt.files if before})
        return [
            isinstance(found, Deletion),
            list(found),
            receipt.status,
            before,
            sum(f[2] for f in receipt.files),
        ]

    def held(store, cache):
        return [stored(store), [[name, cache.get(name)] for name, *_ in given["summaries"]]]

    def stores():
        return MemoryStore("memories.db", durable=False), DerivedSummaryCache("summaries.db", durable=False)

    store, cache = stores()
    with store, cache:
        for memory in given["memories"]:
            remember(store, *memory)
        for name, memories, content, summaries in given["summaries"]:
            cache.put(name, memories, content, source_summary_ids=summaries)
        if given["gone"]:
            store.delete(given["memory"])
        if given["kill"] == "fails":
            store.delete = fails
            return outcome(lambda: deleted(store, cache))
        if given["kill"]:
            setattr(store if given["kill"] == "delete" else cache, given["kill"], killed)
            with suppress(Killed):
                deleted(store, cache)
    store, cache = stores()
    with store, cache:
        kept = held(store, cache)
        outlived = any(text for _, text in kept[1]) and given["memory"] not in kept[0]
        found = outcome(lambda: deleted(store, cache))
        left = held(store, cache)
        again = [put(cache, each) for each in given["then"]]
    return [
        found,
        outlived and bool(given["kill"]),
        left,
        [files_that_say(text) for text in given["texts"]],
        again,
    ]


def private_note(answer, given):
    def told(deletion):
        names = sorted(path.name for path in Path.cwd().glob("*.db"))
        with MemoryStore("memories.db", durable=False) as store:
            kept = [memory.content for memory in store.query(MemoryScope.USER, "user-1")]
        with DerivedSummaryCache("summaries.db", durable=False) as cache:
            found = [cache.get("brief"), cache.get("invitation"), list(cache.derived_from("agenda"))]
            again = put(cache, ["brief", ["private-note"], []])
        return [isinstance(deletion, Deletion), list(deletion), names, kept, found, again]

    return scene(answer, given, told)


summaries_stay = delete_everywhere

# %%
import json

from forge.chain import GENESIS, canonical, seal
from forge.grading.stripped import changed, faulty, in_other_words, reference

STEM = "07_replay_and_deletion"
DELETE = "forge.replay.deletion:delete_memory_everywhere"
INVALIDATE = "forge.replay.summaries:DerivedSummaryCache.invalidate_for_memory"
NOTES = (
    "the garden key hangs behind the blue door",
    "the meeting is on Friday at nine",
    "the code of the gate changes",
)


def an_event(rng, sequence, **payload):
    note = {"note": f"{rng.choice(NOTES)} {rng.randrange(999)}", **payload}
    return {"event_id": f"e{sequence}", "run_id": "run-1", "sequence": sequence, "payload": note}


def a_log(rng, length):
    """The lines of a log as `verified` gives them, and its bytes."""
    lines, head, offset = [], GENESIS, 0
    for number in range(1, length + 1):
        text, record_hash = seal(an_event(rng, number), head)
        lines.append((text, number, head, record_hash, offset))
        head, offset = record_hash, offset + len(text) + 1
    return lines, b"".join(line[0] + b"\n" for line in lines)


# %%
def of_split_lines(rng):
    note = f"note {rng.randrange(999)}".encode()

    def case(data):
        return {"data": text_of(data)}

    yield "whole lines are told apart", case(note + b"\nb\nc\n")
    yield "what stands behind the last newline is the rest", case(note + b"\nb\n" + note[:5])
    yield "nothing has no line", case(b"")
    yield "one newline ends one empty line", case(b"\n")
    yield "a text without a newline is a rest", case(note)
    for end in ("\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\r\n", "\x1c"):
        yield f"only a newline ends a line, not {end!r}", case(note + end.encode() + b"b\nc" + end.encode())
    yield "zeros and bytes that are no text stay", case(note + b"\xff\x00\n\x00\x00")


def of_refusal(rng):
    lines, data = a_log(rng, 4)
    place = {"number": 2, "head": lines[2][2], "offset": lines[2][4], "before": text_of(data[: lines[2][4]])}

    def case(text, *, ended=True):
        return {**place, "text": text_of(text), "ended": ended}

    right = lines[2][0]
    yield "a record in other bytes is not canonical", case(json.dumps(json.loads(right)).encode())
    yield (
        "a record in other bytes without its newline is not canonical",
        case(json.dumps(json.loads(right)).encode(), ended=False),
    )
    for size in (1, rng.randrange(20, 60), len(right) - 2):
        yield "a last line that was cut is torn", case(right[:size], ended=False)
        yield "a line that was cut and has its newline is damage", case(right[:size])
    yield "zeros with a newline are damage", case(bytes(rng.randrange(20, 500)))
    yield "zeros without one are torn", case(bytes(rng.randrange(20, 500)), ended=False)
    yield "an event that was changed is damage", case(right.replace(b"note", b"nota", 1))
    yield "a changed event without its newline is torn", case(right.replace(b"note", b"nota"), ended=False)
    yield "a line that is missing breaks the chain", case(lines[3][0])
    yield "a line of an earlier place breaks the chain, as a fork", case(lines[1][0])
    fork, _ = seal(an_event(rng, 3, other=1), lines[1][2])
    yield "a second record behind the same one is a fork", case(fork)
    yield "a fork that was edited as well is none", case(fork.replace(b"other", b"edits"))


def of_agreeing(rng):
    lines, _ = a_log(rng, rng.randrange(5, 9))
    others, _ = a_log(rng, 9)
    told = [[text_of(line[0]), *line[1:]] for line in lines]
    words = ["journal does not match its anchor"]
    words += [f"holds {n} records, the anchor remembers {m}" for n in range(9) for m in range(12)]
    words += [f"record {n} of run-1.jsonl is" for n in range(12)]

    def anchor(number, source=lines):
        return {"count": number, "head": source[number - 1][3]}

    def case(*anchors, given=told):
        return {"lines": given, "anchors": list(anchors), "words": words}

    none = {"count": 0, "head": GENESIS}
    yield "without an anchor every line is given", case()
    yield "where no anchor was kept every line is given", case(None, None)
    for number in (1, 3, len(lines)):
        yield f"an anchor of the first {number} agrees", case(anchor(number))
    yield "an anchor of an empty log agrees", case(none)
    yield "several anchors agree", case(anchor(4), None, anchor(2), none, anchor(2))
    for number in (1, 3, len(lines)):
        yield f"another record {number} is noticed before it is given", case(anchor(number, others))
    yield "of two anchors the one that differs is noticed", case(anchor(4), anchor(2, others))
    yield "of two anchors the later that differs is noticed", case(anchor(2), anchor(4, others))
    yield "two anchors of one record are both asked", case(anchor(3), anchor(3, others))
    yield "a lost end is noticed, behind what is left", case(anchor(5), given=told[:3])
    yield "a lost record is noticed", case(anchor(len(lines)), given=told[:-1])
    yield "a log that is gone is noticed", case(anchor(2), given=[])


def of_append_json(rng):
    _, data = a_log(rng, 3)

    def case(*, expected=None, when="", short=False, start=data):
        events = [canonical(an_event(rng, number)).decode() for number in (4, 5)]
        given = {"data": text_of(start), "event": events[0], "other": events[1]}
        return {**given, "expected": expected, "when": when, "short": short}

    yield "an event becomes the next record", case()
    yield "a writer that has seen every record may write", case(expected=3)
    yield "a lost newline is mended before the next record", case(start=data[:-1])
    yield "the first record follows none", case(start=b"", expected=0)
    for when in ("asked for", "let go", 1, 2, 3, 4):
        yield "of two writers at one time one gets to write", case(expected=3, when=when)
    yield "a writer that missed a record is stale", case(expected=2)
    yield "a writer ahead of the log meets a gap", case(expected=rng.randrange(4, 9))
    yield "a disk that is full leaves the log as it was", case(short=True)
    yield "a disk that is full leaves a lost newline as it was", case(short=True, start=data[:-1])


# %%
def a_cache(*, tombstones=(), stale=()):
    """Day from the note, week from day, month from week and agenda; other from agenda."""
    sources = [
        ("day", "memory", "note"),
        ("week", "summary", "day"),
        ("month", "summary", "week"),
        ("month", "memory", "agenda"),
        ("other", "memory", "agenda"),
    ]
    return {
        "summaries": [
            *([name, f"text of {name}"] for name in ("day", "month", "other", "week")),
            ["blank", ""],
        ],
        "sources": [[*source, int(source not in stale)] for source in sources],
        "tombstones": [list(each) for each in tombstones],
    }


def of_require_live(rng):
    new = f"new-{rng.randrange(99)}"

    def case(kind, source, *, tombstones=(), name=new):
        return {**a_cache(tombstones=tombstones), "asked": [name, kind, source]}

    dead = [("memory", "note"), ("summary", "day"), ("memory", "month")]
    yield "a memory that was not deleted is a source", case("memory", "agenda", tombstones=dead)
    yield "a memory kept elsewhere is a source", case("memory", f"kept-{rng.randrange(99)}", tombstones=dead)
    yield "a summary that is there is a source", case("summary", "week", tombstones=dead)
    yield "an empty summary is there", case("summary", "blank", tombstones=dead)
    yield "a deleted memory says nothing about a summary of its id", case("summary", "month", tombstones=dead)
    yield "a barred summary says nothing about a memory of its id", case("memory", "day", tombstones=dead)
    yield (
        "a summary may be put again under a barred id",
        case("memory", "agenda", tombstones=dead, name="day"),
    )
    yield "a deleted memory is refused", case("memory", "note", tombstones=dead)
    yield (
        "a deleted memory is refused again for its own summary",
        case("memory", "note", tombstones=dead, name="day"),
    )
    yield "a barred summary is refused though it is there", case("summary", "day", tombstones=dead)
    yield "a summary that is not there is refused", case("summary", "note", tombstones=dead)
    yield "an unknown summary is refused", case("summary", "nobody")


def of_derived_from(rng):
    def case(memory, **more):
        return {**a_cache(**more), "memory": memory}

    yield "summaries of summaries are derived too", case("note")
    yield "a memory of two summaries", case("agenda")
    yield "a memory of none", case(f"kept-{rng.randrange(99)}")
    once, left = [("day", "memory", "note")], [("week", "summary", "day")]
    yield "what is made of what once held the text is derived", case("note", stale=once)
    yield "what holds the text no more is left out", case("note", stale=left)
    yield "the last of a chain may have left it", case("note", stale=[("month", "summary", "week")])
    yield "a summary of that id is no memory", case("day")
    deep = a_cache()
    names = [f"level-{n}" for n in range(1, rng.randrange(5, 8))]
    deep["summaries"] += [[name, f"text of {name}"] for name in names]
    deep["sources"] += [
        [name, "summary", before, 1] for before, name in zip(["month", *names], names, strict=False)
    ]
    yield "a chain may be long", {**deep, "memory": "note"}


def of_delete_everywhere(rng):
    texts = [f"CANARY-{rng.randrange(16**6):06x}: {note}" for note in NOTES]
    memories = [
        ["note", texts[0], None],
        ["agenda", texts[1], None],
        ["ended", texts[2], "2020-01-06T09:00:00+00:00"],
    ]
    summaries = [
        ["day", ["note", "agenda"], f"They said: {texts[0]}", []],
        ["week", ["agenda"], f"All week: {texts[0]}", ["day"]],
        ["other", ["agenda"], "The meeting is on Friday.", []],
    ]
    then = [["again", ["note"], []], ["again-2", [], ["day"]], ["again-3", ["agenda"], []]]

    def case(memory, *, kill="", gone=False, held=summaries):
        given = {"memories": memories, "summaries": held, "texts": texts, "then": then}
        return {**given, "memory": memory, "kill": kill, "gone": gone}

    yield "a memory goes, and every summary derived from it", case("note")
    yield "a memory of all summaries takes all of them", case("agenda")
    yield "a memory without a summary goes alone", case("ended")
    yield "a memory that was never stored counts as not deleted", case(f"kept-{rng.randrange(99)}")
    yield "what was derived goes when the memory is gone already", case("note", gone=True)
    yield "in an empty cache the memory goes", case("note", held=[])
    yield "a deletion that fails says so", case("note", kill="fails")
    yield "after a kill before the memory goes no summary outlives it", case("note", kill="delete")
    yield "after a kill before the summaries go nothing is lost", case("note", kill="invalidate_for_memory")


def of_private_note(rng):
    yield "forge as it is", {DELETE: reference(DELETE), INVALIDATE: reference(INVALIDATE)}
    yield "forge with a deletion in other words", {DELETE: in_other_words(reference(DELETE), rng)}
    yield "forge with another way to invalidate", {INVALIDATE: in_other_words(reference(INVALIDATE), rng)}
    yield "a forge that counts and does not remove is noticed", faulty(STEM, "counted_not_removed")
    yield "a forge that reports nothing is noticed", faulty(STEM, "reports_nothing")
    yield "a forge where everything goes is noticed", faulty(STEM, "everything_goes")
    yield (
        "a forge that removes nothing is noticed",
        changed(INVALIDATE, "self.remove(derived)", "self.remove([])"),
    )
    spoil = "self.remove(derived); self.connection.execute(\"UPDATE summaries SET content = 'x'\")"
    yield "a forge that spoils what stays is noticed", changed(INVALIDATE, "self.remove(derived)", spoil)
    more = changed(DELETE, "Deletion(deleted, invalidated,", "Deletion(deleted, invalidated + 1,")
    yield "a forge that reports too many is noticed", more


# %%
PROBES = {
    "too_many_newlines": of_split_lines,
    "damage_called_torn": of_refusal,
    "ask_the_anchors": of_agreeing,
    "lock_let_go": of_append_json,
    "tombstone_rule": of_require_live,
    "one_level_deep": of_derived_from,
    "delete_everywhere": of_delete_everywhere,
    "summaries_stay": of_delete_everywhere,
    "private_note": of_private_note,
}
