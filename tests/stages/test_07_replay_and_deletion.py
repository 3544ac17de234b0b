"""Stage 7: what a journal and a deletion promise. Every test is a sentence, and so is every failure."""

from __future__ import annotations

import json
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from forge.chain import GENESIS, sha256
from forge.errors import StoreBusy
from forge.fakes import FakeDisk
from forge.lines import Anchor, split_lines
from forge.log import ChainLog
from forge.memory import MemoryRecord, MemoryScope, MemoryStore
from forge.replay import DerivedSummaryCache, EventJournal, delete_memory_everywhere
from forge.state import RunEvent, RunState, reduce_events

PATH = Path("runs/run-1.jsonl")

SECRET = "CANARY-7f3a: the garden key hangs behind the blue door"
"""What a memory says; longer than the 16 bytes below which a text is not searched for."""


class Killed(BaseException):
    """The process ends here."""


def created(run_id="run-1"):
    return RunEvent(event_id="e1", run_id=run_id, sequence=1, kind="run_created")


def step(sequence, name="draft", *, run_id="run-1", **payload):
    payload = {"step": name, **payload}
    event_id = f"e{sequence}"
    return RunEvent(event_id=event_id, run_id=run_id, sequence=sequence, kind="step_started", payload=payload)


def revoked(sequence):
    return RunEvent(
        event_id=f"e{sequence}", run_id="run-1", sequence=sequence, kind="write_permission_revoked"
    )


EVENTS = [created(), step(2, "inspect"), revoked(3)]


def written(events=EVENTS, disk=None):
    """A journal of the events, on a disk in memory."""
    journal = EventJournal(PATH, disk=disk or FakeDisk())
    for event in events:
        journal.append(event)
    return journal


def bytes_of(events=EVENTS):
    disk = FakeDisk()
    written(events, disk)
    return disk.files[PATH]


def holding(data):
    return EventJournal(PATH, disk=FakeDisk({PATH: data}))


def rewritten(disk, data):
    """Put other bytes in the place of the journal, as another program may do."""
    disk.truncate(PATH, 0)
    disk.append(PATH, data)


def standing(state):
    """A state in one line, so that a failure can be read in one look."""
    permission = "may write" if state.write_allowed else "may not write"
    return f"{state.status} at {state.current_step}, {permission}, version {state.version}"


def outcome(act, *values, **named):
    """What `act` gives, or how it refuses: `ValueError: …`."""
    try:
        found = act(*values, **named)
    except NotImplementedError:
        raise
    except Exception as error:
        return f"{'ValueError' if isinstance(error, ValueError) else type(error).__name__}: {error}"
    return standing(found) if isinstance(found, RunState) else f"accepted: {found!r}"


def refused(words, act, *values, **named):
    """`ValueError: … words …` if that is how `act` refuses the values, else what it did instead."""
    found = outcome(act, *values, **named)
    return f"ValueError: … {words} …" if found.startswith("ValueError") and words in found else found


def expected(words):
    return f"ValueError: … {words} …"


def steps_of(journal):
    """The steps that can be read from a journal, or how it refuses."""
    try:
        return [event.payload.get("step") for event in journal.read_events()]
    except ValueError as error:
        return f"ValueError: {error}"


def summaries_in(folder):
    return DerivedSummaryCache(folder / "summaries.db", durable=False)


def stores(folder):
    return MemoryStore(folder / "memories.db", durable=False), summaries_in(folder)


def remember(store, memory_id, content=SECRET, ends=None):
    store.put(
        MemoryRecord(
            memory_id=memory_id,
            scope=MemoryScope.USER,
            subject_id="user-1",
            content=content,
            created_at=datetime(2020, 1, 5, 9, 0, tzinfo=UTC),
            expires_at=ends,
        )
    )


def remembered(store):
    return [record.memory_id for record in store.query(MemoryScope.USER, "user-1")]


def files_that_say(text, folder):
    return sorted(path.name for path in folder.iterdir() if text.encode() in path.read_bytes())


def databases(names):
    """Whose files those are: SQLite may keep more than one for a database."""
    return sorted({name.partition(".")[0] for name in names})


def test_auditable_journal_replays_the_same_state(tmp_path):
    journal = EventJournal(tmp_path / "run-1.jsonl", fsync_every=100)
    hashes = [journal.append(event) for event in EVENTS]
    lines = journal.path.read_text(encoding="utf-8").splitlines()
    stored = [json.loads(line)["record_hash"] for line in lines]

    assert stored == hashes, "an append must return the hash of the record that it wrote"
    assert journal.read_events() == EVENTS, "the journal must give back the events that were appended"
    again = EventJournal(journal.path)
    assert again.read_events() == EVENTS, "a journal opened afterwards must give back the same events"
    found = standing(again.replay())
    assert found == "running at inspect, may not write, version 3", (
        "the replay must end where the events lead"
    )
    assert again.replay() == reduce_events(EVENTS), "the replay must give the state that the events give"


def test_journal_tampering_is_detected_before_replay():
    data = bytes_of()
    assert outcome(holding(data).replay).startswith("running"), "an untouched journal must replay"

    words = (
        "mismatch at line 2: byte 256 of run-1.jsonl: it says 'ab012913a461', its bytes give '1250cf970771'."
    )
    found = refused(words, holding(data.replace(b"inspect", b"publish")).replay)
    assert found == expected(words), "a changed event must be detected, with its line and both hashes"
    lines = data.splitlines(keepends=True)
    found = refused("journal hash chain broken at line 2", holding(lines[0] + lines[2]).replay)
    assert found == expected("journal hash chain broken at line 2"), "a missing line must be detected"
    found = refused("journal hash chain broken at line 1", holding(lines[1] + lines[0] + lines[2]).replay)
    assert found == expected("journal hash chain broken at line 1"), "exchanged lines must be detected"
    head = lines[1][-67:-3]
    other = lines[1].replace(head, sha256(b"another").encode())
    found = refused("journal record hash mismatch at line 2", holding(lines[0] + other).replay)
    assert found == expected("journal record hash mismatch at line 2"), "a changed hash must be detected"


def test_deletion_propagates_to_derived_summary_cache(tmp_path):
    store, cache = stores(tmp_path)
    with store, cache:
        remember(store, "private-note")
        remember(store, "public-note", "the meeting is on Friday at nine")
        cache.put("summary-1", ["private-note", "public-note"], f"They said: {SECRET}")
        cache.put("summary-2", ["public-note"], "The meeting is on Friday.")

        deleted, invalidated = delete_memory_everywhere(store, cache, "private-note")

        assert deleted is True, "the memory must be deleted"
        assert invalidated == 1, "the one summary that the memory is a source of must be invalidated"
        assert cache.get("summary-1") is None, "a summary of the deleted memory must not be found any more"
        assert cache.get("summary-2") == "The meeting is on Friday.", "another summary must stay as it was"
        assert remembered(store) == ["public-note"], "another memory must stay"
        again = delete_memory_everywhere(store, cache, "private-note")
        assert again == (False, 0), "deleting it again must find nothing left to do"
        unknown = delete_memory_everywhere(store, cache, "nobody-knows-it")
        assert unknown == (False, 0), "deleting what was never stored must say so"
        remember(store, "lonely-note", "nobody has summarised this")
        lonely = delete_memory_everywhere(store, cache, "lonely-note")
        assert lonely == (True, 0), "a memory without any summary must be deleted as well"


def test_what_was_derived_goes_even_when_the_memory_is_gone_already(tmp_path):
    store, cache = stores(tmp_path)
    with store, cache:
        remember(store, "private-note")
        cache.put("summary-1", ["private-note"], f"They said: {SECRET}")
        store.delete("private-note")
        found = tuple(delete_memory_everywhere(store, cache, "private-note"))
        assert found == (False, 1), "the summary of a memory that is gone already must be invalidated"


def after_a_kill(folder, at):
    """Whether memory and summary are found after a kill as one of the two deletions began; and the rest."""
    store, cache = stores(folder)

    def killed(_memory_id):
        raise Killed

    with store, cache:
        remember(store, "private-note")
        cache.put("summary-1", ["private-note"], f"They said: {SECRET}")
        setattr(store if at == "delete" else cache, at, killed)
        with suppress(Killed):
            delete_memory_everywhere(store, cache, "private-note")
    store, cache = stores(folder)
    with store, cache:
        left = bool(remembered(store)), cache.get("summary-1") is not None
        return left, tuple(delete_memory_everywhere(store, cache, "private-note"))


def test_a_summary_is_gone_whenever_its_memory_is(tmp_path):
    for at in ("delete", "invalidate_for_memory"):
        (memory, summary), again = after_a_kill(tmp_path / at, at)
        possible = "the memory there, or the summary gone"
        found = "the memory gone, the summary there" if summary and not memory else possible
        assert found == possible, "after a kill between the two, a summary must not outlive its memory"
        assert again == (memory, int(summary)), "the next call must finish what a kill left undone"


def test_a_deletion_that_fails_is_told(tmp_path):
    store, cache = stores(tmp_path)

    def busy(_memory_id):
        raise StoreBusy("the database is busy")

    with store, cache:
        remember(store, "private-note")
        store.delete = busy
        found = outcome(delete_memory_everywhere, store, cache, "private-note").partition(":")[0]
    assert found == "StoreBusy", "a store that cannot delete must not be taken for one that had nothing"


def test_a_summary_of_a_summary_goes_with_the_memory(tmp_path):
    store, cache = stores(tmp_path)
    with store, cache:
        remember(store, "private-note")
        cache.put("day", ["private-note"], "CANARY of the day")
        cache.put("week", ["public-note"], "CANARY of the week", source_summary_ids=["day"])
        cache.put("month", [], "CANARY of the month", source_summary_ids=["week"])
        cache.put("other", ["public-note"], "of something else")

        found = tuple(delete_memory_everywhere(store, cache, "private-note"))
        left = [cache.get(summary_id) for summary_id in ("day", "week", "month", "other")]
        assert left == [None, None, None, "of something else"], (
            "a summary of a summary must go, and what has another source must stay"
        )
        assert found == (True, 3), "a summary, its summary and the summary of that must all be counted"


def test_a_summary_does_not_come_back_after_its_memory_was_deleted(tmp_path):
    store, cache = stores(tmp_path)
    with store, cache:
        remember(store, "private-note")
        cache.put("summary-1", ["private-note"], f"They said: {SECRET}")
        delete_memory_everywhere(store, cache, "private-note")

    with summaries_in(tmp_path) as later:
        words = "a summary of a deleted memory is refused: 'summary-1' names the memory 'private-note'"
        found = refused(words, later.put, "summary-1", ["private-note"], f"Again: {SECRET}")
        assert found == expected(words), "a summary of a deleted memory must be refused"
        later.put("summary-1", ["public-note"], "of something else")
        words = "a summary of a deleted summary is refused: 'summary-3' names the summary 'summary-1'"
        found = refused(words, later.put, "summary-3", [], "From it.", source_summary_ids=["summary-1"])
        assert found == expected(words), "a summary of an invalidated one must be refused"
        assert later.get("summary-3") is None, "a refused summary must not be stored"


def test_a_summary_put_again_stays_and_what_was_made_of_it_before_goes(tmp_path):
    store, cache = stores(tmp_path)
    with store, cache:
        remember(store, "private-note")
        cache.put("day", ["private-note"], f"They said: {SECRET}")
        cache.put("week", [], f"In this week: {SECRET}", source_summary_ids=["day"])
        cache.put("day", ["public-note"], "of something else")
        delete_memory_everywhere(store, cache, "private-note")

        assert cache.get("week") is None, "a summary made while its source held the text must go"
        assert cache.get("day") == "of something else", "a summary put again without the text must stay"
        words = "a summary of a deleted summary is refused: 'month' names the summary 'day'"
        found = refused(words, cache.put, "month", [], "From it.", source_summary_ids=["day"])
        assert found == expected(words), "a summary that once held the text must be no source any more"


def test_a_summary_goes_and_is_barred_in_one_step(tmp_path):
    def killed(*_values):
        raise Killed

    for at in ("bar", "remove"):
        store, cache = stores(tmp_path / at)
        with store, cache:
            cache.put("summary-1", ["private-note"], f"They said: {SECRET}")
            setattr(cache, at, killed)
            with suppress(Killed):
                cache.invalidate_for_memory("private-note")
        with summaries_in(tmp_path / at) as later:
            stands = "there" if later.get("summary-1") else "gone"
            told = outcome(later.put, "summary-1", ["private-note"], f"Again: {SECRET}")
            found = f"{stands}, and {'not barred' if told.startswith('accepted') else 'barred'}"
            possible = "there, and not barred" if stands == "there" else "gone, and barred"
        assert found == possible, f"a kill before `{at}` must leave a summary as it was, or gone and barred"


def test_a_tombstone_bars_one_id_of_one_kind(tmp_path):
    store, cache = stores(tmp_path)
    with store, cache:
        delete_memory_everywhere(store, cache, "note")
        found = outcome(cache.put, "note", ["public-note"], "A summary that has the name of a memory.")
        assert found == "accepted: None", "a summary may have the id of a deleted memory"
        found = outcome(cache.put, "summary-2", [], "From it.", source_summary_ids=["note"])
        assert found == "accepted: None", "a deleted memory must not bar a summary of the same id"
        found = outcome(cache.put, "summary-3", ["another-note"], "From another memory.")
        assert found == "accepted: None", "a deleted memory must not bar another memory"


def test_a_source_summary_must_be_in_the_cache(tmp_path):
    with summaries_in(tmp_path) as cache:
        words = "a summary of an unknown summary is refused: 'week' names the summary 'day'"
        found = refused(words, cache.put, "week", [], "From it.", source_summary_ids=["day"])
        assert found == expected(words), "a summary that is not there must be no source"
        found = outcome(cache.put, "day", ["a-memory-kept-elsewhere"], "The day.")
        assert found == "accepted: None", "a memory need not be in any store to be a source"
        found = outcome(cache.put, "week", [], "From it.", source_summary_ids=["day"])
        assert found == "accepted: None", "a summary that is there must be a source"
        cache.put("empty", [], "")
        found = outcome(cache.put, "month", [], "From it.", source_summary_ids=["empty"])
        assert found == "accepted: None", "a summary that says nothing is there as well"


def test_deleted_text_is_in_no_file(tmp_path):
    store, cache = stores(tmp_path)
    with store, cache:
        remember(store, "private-note")
        cache.put("summary-1", ["private-note"], f"They said: {SECRET}")
        said = databases(files_that_say(SECRET, tmp_path))
        deletion = delete_memory_everywhere(store, cache, "private-note")
    assert said == ["memories", "summaries"], "before the deletion both databases must hold the text"
    assert files_that_say(SECRET, tmp_path) == [], "after the deletion no file may hold the text"
    receipt = deletion.receipt
    found = f"the receipt says “{receipt.status}”"
    assert found == "the receipt says “gone”", "the files must be searched when both deletions are done"
    found = databases(path.name for path, before, _ in receipt.files if before)
    assert found == ["memories", "summaries"], "the receipt must say where the text stood before"
    found = sum(after for _, _, after in receipt.files)
    assert found == 0, "the receipt must say that nothing is left"


def test_a_memory_that_has_ended_is_deleted_like_any_other(tmp_path):
    store, cache = stores(tmp_path)
    with store, cache:
        remember(store, "ended-note", ends=datetime(2020, 1, 6, 9, 0, tzinfo=UTC))
        found = tuple(delete_memory_everywhere(store, cache, "ended-note"))
    assert files_that_say(SECRET, tmp_path) == [], "the text of a memory that has ended must go as well"
    assert found == (True, 0), "a memory that has ended is still stored, so it must count as deleted"


def test_a_journal_holds_one_run_in_contiguous_sequences():
    words = "the first journal event must use sequence 1"
    found = refused(words, written([]).append, step(2))
    assert found == expected(words), "a journal must not begin with event 2"

    words = "one journal file may contain only one run_id"
    for sequence in (1, 4, 9):
        found = refused(words, written().append, step(sequence, run_id="run-2"))
        assert found == expected(words), f"event {sequence} of another run must be refused as one"

    words = "journal events must use contiguous sequences"
    for sequence in (1, 3, 5, 9):
        journal = written()
        found = refused(words, journal.append, step(sequence))
        assert found == expected(words), f"event {sequence} must not follow event 3"
        assert len(journal.read_events()) == 3, "a refused event must not be written"


def test_only_a_newline_ends_a_record():
    for text in ("a\u2028b", "a\u2029b", "a\x85b", "a\x0bb", "a\x0cb", "a\r\nb", "a\nb", "a\x1cb"):
        events = [created(), step(2, note=text), step(3)]
        found = outcome(lambda journal: journal.read_events()[1].payload["note"], written(events))
        assert found == f"accepted: {text!r}", f"an event with {text!r} in its payload must read back equal"
    found = split_lines(b"a\rb\n\xff\nc")
    assert found == ([b"a\rb", b"\xff"], b"c"), "the byte of a newline, and no other, must end a line"


def test_a_lost_newline_is_mended_before_the_next_record():
    journal = holding(bytes_of()[:-1])
    assert len(journal.read_events()) == 3, "a last record that lost its newline must still be a record"
    journal.append(step(4))
    found = steps_of(journal)
    assert found == [None, "inspect", None, "draft"], "the next record must stand on a line of its own"


class Meeting(FakeDisk):
    """A disk on which somebody else comes by, once: as the lock is asked for, or as it has been let go."""

    def __init__(self, files, *, come, when, before):
        super().__init__(files, before=before)
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


def race(when):
    """Two writers of event 2, the second in the middle of the first: what came of it."""
    told = []

    def come():
        told.append(outcome(other.append, step(2, "theirs")))

    before = {when: come} if isinstance(when, int) else {}
    disk = Meeting({PATH: bytes_of([created()])}, come=come, when=when, before=before)
    journal, other = EventJournal(PATH, disk=disk), EventJournal(PATH, disk=disk)
    told.append(outcome(journal.append, step(2, "mine")))
    steps = steps_of(EventJournal(PATH, disk=disk))
    one = steps in ([None, "mine"], [None, "theirs"])
    return "one event 2" if one else steps, sum(words.startswith("accepted") for words in told), len(told)


def test_a_second_writer_cannot_come_between_reading_the_head_and_writing():
    # The operations of an append: make_folder, sync_folder, append, sync.
    for when in ("asked for", "let go", 1, 2, 3, 4):
        steps, accepted, writers = race(when)
        assert steps == "one event 2", "of two writers at one time, one alone must get to write event 2"
        assert accepted == 1, "of two writers of event 2, one must be told that it came too late"
        assert writers == 2, "the second writer must get its turn"


def test_a_fork_is_reported_as_a_fork():
    lines = bytes_of().splitlines(keepends=True)
    other = bytes_of([*EVENTS[:2], step(3, "another")]).splitlines(keepends=True)
    words = "two writers had read the same end"
    found = refused(words, holding(b"".join(lines) + other[2]).read_events)
    assert found == expected(words), "a fork must be told apart from tampering"
    words = "journal hash chain broken at line 4"
    found = refused(words, holding(b"".join(lines) + other[2]).read_events)
    assert found == expected(words), "a fork must be named by its line"
    edited = other[2].replace(b"another", b"changed")
    found = "a fork" in outcome(holding(b"".join(lines) + edited).read_events)
    assert found is False, "a line that was edited as well must not be called a fork"
    begins = lines[0].replace(b"e1", b"e9")
    found = "a fork" in outcome(holding(b"".join(lines) + begins).read_events)
    assert found is False, "a first line that was edited as well must not be called a fork"
    twice = b"".join([*lines, other[2], lines[1]])
    words = "it follows record 2, as line 3 does"
    found = refused(words, holding(twice).read_events)
    assert found == expected(words), "a fork must be told by the lines above it"


def test_a_journal_that_lost_its_end_is_noticed_with_an_anchor():
    anchor = written().anchor()
    lines = bytes_of().splitlines(keepends=True)
    found = outcome(holding(lines[0] + lines[1]).replay)
    assert found == "running at inspect, may write, version 2", "without an anchor a lost end cannot be seen"
    for left in (2, 1, 0):
        words = f"holds {left} records, the anchor remembers 3"
        found = refused(words, holding(b"".join(lines[:left])).read_events, anchor=anchor)
        assert found == expected(words), f"{left} records of 3 must be refused with an anchor of 3"


def test_a_journal_that_was_written_anew_is_noticed_with_an_anchor():
    anchor = written().anchor()
    for last in ([revoked(3)], [revoked(3), step(4)]):
        other = bytes_of([created(), step(2, "publish"), *last])
        assert len(holding(other).read_events()) > 2, "without an anchor other events cannot be seen"
        words = "journal does not match its anchor: record 3 of run-1.jsonl is "
        found = refused(words, holding(other).read_events, anchor=anchor)
        assert found == expected(words), "a journal that was written anew must be refused with an anchor"

    disk = FakeDisk()
    journal = written(disk=disk)
    begun = holding(bytes_of(EVENTS[:1])).anchor()
    rewritten(disk, bytes_of([created(), step(2, "publish"), revoked(3), step(4)]))
    found = refused("anchor", journal.read_events, anchor=begun)
    assert found == expected("anchor"), "what the journal object has seen must be asked as well as an anchor"
    stranger = written([created(), step(2, "publish")]).anchor()
    found = refused("anchor", written().read_events, anchor=stranger)
    assert found == expected("anchor"), "an anchor of another journal must be refused, whatever else agrees"


def test_a_journal_that_has_grown_since_matches_its_anchor():
    longer = holding(bytes_of([*EVENTS, step(4)]))
    for seen in (3, 2, 1):
        anchor = written(EVENTS[:seen]).anchor()
        found = outcome(lambda kept: len(longer.read_events(anchor=kept)), anchor)
        assert found == "accepted: 4", f"four events must match an anchor of the first {seen}"
    found = outcome(lambda: len(longer.read_events(anchor=Anchor(count=0, head=GENESIS))))
    assert found == "accepted: 4", "four events must match an anchor of an empty journal"


def test_the_records_that_agree_are_given_before_the_mismatch():
    anchor, lines = written().anchor(), bytes_of().splitlines(keepends=True)
    other = bytes_of([*EVENTS[:2], step(3, "publish")])
    for data, what in ((lines[0] + lines[1], "a lost end"), (other, "another last record")):
        *given, end = holding(data).scan(anchor=anchor)
        found = [record.event.sequence for record in given]
        assert found == [1, 2], f"a scan must give the records before {what}, and no other"
        assert end.reason == "anchor", f"a scan must end with the reason: {what} is a matter of the anchor"


def test_the_bytes_that_are_hashed_are_the_bytes_that_are_stored():
    disk = FakeDisk()
    journal = EventJournal(PATH, disk=disk)
    events = [*EVENTS, step(4, reviewer=None)]
    for event in events:
        record_hash = journal.append(event)
        line = disk.files[PATH].splitlines()[-1]
        body = line[: line.rindex(b',"record_hash"')] + b"}"
        stored = json.loads(body)["event"]
        assert stored == event.model_dump(mode="json"), "the line must hold the whole event"
        found = sha256(body)
        assert found == record_hash, "the hash must be the hash of the stored line without the hash itself"
    found = outcome(lambda: len(journal.read_events()))
    assert found == "accepted: 4", "what was written must verify when it is read"


def test_a_moved_border_between_two_fields_changes_the_hash():
    hashes = {
        written([]).append(RunEvent(event_id=event_id, run_id=run_id, sequence=1, kind="run_created"))
        for event_id, run_id in (("ab", "c"), ("a", "bc"), ("abc", "c"))
    }
    assert len(hashes) == 3, "three events must have three hashes, wherever one field ends"


def test_an_append_gives_back_the_record_that_it_wrote():
    log = ChainLog(PATH, disk=FakeDisk())
    given = [log.append({"payload": {"note": note}}) for note in ("first", "second")]
    assert log.read() == given, "what an append returns must be the record that a reader finds"


def test_damage_in_the_middle_is_never_repaired():
    lines = bytes_of().splitlines(keepends=True)
    zeros = lines[0] + bytes(512) + b"\n" + lines[1] + lines[2]
    for data in (zeros, zeros.replace(bytes(512), b"?")):
        disk = FakeDisk({PATH: data})
        damaged = EventJournal(PATH, disk=disk)
        *given, end = damaged.scan()
        found = [record.event.sequence for record in given]
        assert found == [1], "a scan must give the event before the damage, and no other"
        outcome(damaged.repair)
        found = disk.files[PATH].count(b"\n")
        assert found == 4, "a repair must not take away the records behind the damage"
        assert end.reason == "damaged", "a scan must say that the journal is damaged, not torn"
        words = "is not a record"
        found = refused(words, damaged.repair)
        assert found == expected(words), "a repair must refuse damage, and say what it is"


def test_a_torn_last_line_is_moved_aside():
    whole, lines = bytes_of(), bytes_of().splitlines(keepends=True)
    for cut in (1, 40, len(lines[2]) - 2):
        torn = holding(whole[: len(lines[0] + lines[1]) + cut])
        found = refused("torn", torn.read_events)
        assert found == expected("torn"), f"{cut} bytes of a last record must be called torn"
        repaired = torn.repair()
        assert repaired is not None, "a torn last line must be moved aside"
        assert repaired.bytes == cut, "the torn bytes, and no others, must be moved aside"
        assert torn.read_events() == EVENTS[:2], "the records before a torn line must be kept"
    found = refused("torn", holding(whole[:-1].replace(b"revoked", b"granted")).read_events)
    assert found == expected("torn"), (
        "a last line that lacks its newline and does not verify must be called torn"
    )


def test_a_line_in_other_bytes_is_refused_with_the_way_out():
    lines = bytes_of().splitlines(keepends=True)
    spaced = json.dumps(json.loads(lines[1])).encode() + b"\n"
    words = "journal line 2 is not canonical: byte 256 of run-1.jsonl"
    found = refused(words, holding(lines[0] + spaced + lines[2]).read_events)
    assert found == expected(words), "a record in other bytes must be told apart from a changed one"


def test_a_write_that_fails_leaves_the_journal_as_it_was():
    for data in (bytes_of(), bytes_of()[:-1]):
        disk = FakeDisk({PATH: data}, short={3: 40})
        journal = EventJournal(PATH, disk=disk)
        found = outcome(journal.append, step(4)).partition(":")[0]
        assert found == "StorageError", "an append on a full disk must say so"
        assert disk.files[PATH] == data, "a write that fails must leave the journal as it was, byte for byte"
        journal.append(step(4))
        assert len(journal.read_events()) == 4, "the next append must succeed"
