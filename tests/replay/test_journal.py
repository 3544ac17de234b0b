"""The journal keeps the events of one run, in order, and says what is wrong with any other file."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.chain import GENESIS, canonical, link, seal
from forge.errors import (
    AnchorMismatch,
    DamagedRecord,
    EventRefused,
    LogError,
    NotCanonicalLine,
    SequenceGap,
    StaleWriter,
    TornTail,
)
from forge.fakes import FakeDisk
from forge.history import History
from forge.lines import ScanEnd
from forge.log import ChainLog
from forge.replay import EventJournal, JournalRecord
from forge.state import RunEvent, apply_event, reduce_events
from forge.state.recovery import chain_head
from tests.replay.runs import PATH, content, event, events, holding, spaced

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=3)
    ),
    max_leaves=8,
)
PAYLOAD = st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), JSON, max_size=4)


def end_of(journal: EventJournal) -> ScanEnd:
    *records, end = journal.scan()
    assert all(isinstance(record, JournalRecord) for record in records)
    assert isinstance(end, ScanEnd)
    assert end.count == len(records)
    return end


def log_of(*payloads: dict[str, object]) -> bytes:
    """A sound log of any events, whether they make a journal or not."""
    disk = FakeDisk()
    log = ChainLog(PATH, disk=disk)
    for payload in payloads:
        log.append(payload)
    return disk.files[PATH]


def dumped(*events: RunEvent) -> list[dict[str, object]]:
    return [event.model_dump(mode="json") for event in events]


# Reading back.


def test_what_is_appended_is_read_back_by_another_journal(tmp_path: Path) -> None:
    journal = EventJournal(tmp_path / "runs" / "run-1.jsonl")
    for one in events(5):
        journal.append(one)
    assert EventJournal(journal.path).read_events() == events(5)
    assert EventJournal(str(journal.path)).replay() == reduce_events(events(5))


def test_a_journal_that_does_not_exist_is_empty_and_reading_does_not_make_it(tmp_path: Path) -> None:
    journal = EventJournal(tmp_path / "none.jsonl")
    assert journal.read_events() == []
    assert journal.anchor().count == 0
    with pytest.raises(EventRefused, match="at least one event is required"):
        journal.replay()
    assert not journal.path.exists()


@given(st.lists(PAYLOAD, min_size=1, max_size=6))
def test_any_payload_reads_back_equal_and_its_line_is_canonical(payloads: list[dict[str, object]]) -> None:
    written = [event(number, note=payload) for number, payload in enumerate(payloads, start=1)]
    disk = FakeDisk()
    journal = EventJournal(PATH, disk=disk)
    hashes = [journal.append(one) for one in written]

    assert journal.read_events() == written
    lines = disk.files[PATH].split(b"\n")[:-1]
    head = GENESIS
    for line, one, record_hash in zip(lines, written, hashes, strict=True):
        expected, head = seal(one.model_dump(mode="json"), head)
        assert (line, record_hash) == (expected, head)
    assert chain_head(written) == journal.anchor().head == head


@given(st.integers(0, 30), st.integers(1, 40), st.integers(0, 40))
def test_a_page_is_a_slice_of_all_events(count: int, start: int, limit: int) -> None:
    journal = holding(content(count))
    assert journal.read_events(start=start, limit=limit) == events(count)[start - 1 : start - 1 + limit]


def test_a_journal_longer_than_a_batch_reads_back_equal() -> None:
    data = content(700)
    assert holding(data).read_events() == events(700)
    assert holding(data).read_events(start=300, limit=290) == events(700)[299:589]
    assert holding(data).replay() == reduce_events(events(700))


@given(st.integers(0, 12))
def test_the_state_at_a_prefix_is_the_replay_of_a_journal_of_that_length(n: int) -> None:
    history = History(holding(content(12)).read_events(), apply_event)
    assert history.at(n) == (holding(content(n)).replay() if n else None)


def test_reading_never_writes() -> None:
    disk = FakeDisk({PATH: content(3)[:-10]})
    journal = EventJournal(PATH, disk=disk)
    list(journal.scan())
    for read in (journal.read_events, journal.replay, journal.anchor):
        with pytest.raises(TornTail):
            read()
    assert disk.operations == []


# Appending.


def test_an_event_of_another_run_is_refused_before_its_sequence_is_looked_at() -> None:
    words = "^one journal file may contain only one run_id: run-1.jsonl is the journal of run-1, "
    for number in (1, 3, 4, 9):
        with pytest.raises(LogError, match=words) as caught:
            holding(content(3)).append(event(number, "run-2"))
        assert caught.value.evidence["found"] == "run-2"


def test_the_first_event_has_sequence_one() -> None:
    with pytest.raises(
        SequenceGap, match=r"^the first journal event must use sequence 1: found event 2 of run-1"
    ):
        EventJournal(PATH, disk=FakeDisk()).append(event(2))


def test_a_stale_writer_and_a_gap_are_told_apart() -> None:
    words = "^journal events must use contiguous sequences: event {} of run-1 follows event 3, expected 4. "
    for number in (1, 2, 3):
        with pytest.raises(StaleWriter, match=words.format(number) + "Read the journal again from") as caught:
            holding(content(3)).append(event(number))
        assert caught.value.evidence["count"] == 3
    for number in (5, 9):
        with pytest.raises(SequenceGap, match=words.format(number) + "Append event 4 before it.") as gap:
            holding(content(3)).append(event(number))
        assert gap.value.evidence["count"] == 3


def test_a_refused_event_changes_nothing() -> None:
    disk = FakeDisk({PATH: content(3)})
    journal = EventJournal(PATH, disk=disk)
    for wrong in (event(1), event(3), event(5), event(4, "run-2")):
        with pytest.raises(LogError):
            journal.append(wrong)
    assert disk.files == {PATH: content(3)}
    journal.append(event(4))
    assert disk.files == {PATH: content(4)}


def test_two_writers_follow_each_other() -> None:
    disk = FakeDisk()
    one, other = (EventJournal(PATH, disk=disk) for _ in range(2))
    one.append(event(1))
    other.append(event(2))
    with pytest.raises(StaleWriter):
        one.append(event(2))
    one.append(event(3))
    assert disk.files[PATH] == content(3)


def test_of_two_runs_that_begin_one_file_the_second_is_refused_as_another_run() -> None:
    disk = FakeDisk()
    first, second = (EventJournal(PATH, disk=disk) for _ in range(2))
    first.append(event(1))
    with pytest.raises(LogError, match=r"^one journal file may contain only one run_id"):
        second.append(event(1, "run-2"))


def test_a_run_that_was_begun_while_another_waited_for_the_lock_is_named() -> None:
    class Waiting(FakeDisk):
        """Before the first lock is given, another process begins the journal."""

        begun = False

        @contextmanager
        def lock(self, path: Path, *, shared: bool = False, wait: bool = True) -> Iterator[None]:
            if not self.begun:
                self.begun = True
                EventJournal(PATH, disk=self).append(event(1))
            with super().lock(path, shared=shared, wait=wait):
                yield

    with pytest.raises(LogError, match=r"^one journal file may contain only one run_id"):
        EventJournal(PATH, disk=Waiting()).append(event(1, "run-2"))


def test_with_fsync_every_the_disk_is_synced_once_in_so_many_appends() -> None:
    disk = FakeDisk()
    journal = EventJournal(PATH, disk=disk, fsync_every=4)
    for one in events(9):
        journal.append(one)
    synced = [operation.name for operation in disk.operations].count("sync")
    journal.sync()
    assert (synced, [operation.name for operation in disk.operations].count("sync")) == (2, 3)


# What is wrong.


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_sound_log_of_something_else_is_not_a_journal(number: int) -> None:
    payloads = dumped(*events(3))
    payloads[number - 1] = {"colour": "green"}
    journal = holding(log_of(*payloads))
    words = f"^journal record is not a run event at line {number}: RunEvent.event_id was refused: "
    with pytest.raises(DamagedRecord, match=words):
        journal.read_events()
    assert (end_of(journal).reason, end_of(journal).count) == ("damaged", number - 1)


def test_a_record_of_another_run_is_damage() -> None:
    journal = holding(log_of(*dumped(event(1), event(2), event(3, "run-2"))))
    words = (
        "^one journal file may contain only one run_id: line 3 of run-1.jsonl is of run-2, line 1 of run-1."
    )
    for read in (journal.read_events, journal.replay, lambda: journal.read_events(start=3)):
        with pytest.raises(DamagedRecord, match=words):
            read()
    end = end_of(journal)
    assert (end.reason, end.count, end.offset) == ("damaged", 2, len(content(2)))
    assert end.head == holding(content(2)).anchor().head


def test_a_record_out_of_sequence_is_damage() -> None:
    journal = holding(log_of(*dumped(event(1), event(3))))
    with pytest.raises(
        DamagedRecord, match=r"^journal events must use contiguous sequences: line 2 of run-1"
    ):
        journal.read_events()
    assert end_of(journal).count == 1


def test_an_event_without_its_default_payload_is_still_an_event() -> None:
    created = event(1).model_dump(mode="json")
    del created["payload"]
    assert holding(log_of(created)).read_events() == [event(1)]


def test_an_event_that_is_hashed_in_other_bytes_than_canonical_ones_is_refused() -> None:
    [payload] = dumped(event(1))
    for written in (canonical(payload).replace(b":", b": "), canonical(payload)[:-1] + b',"sequence":1}'):
        line, _ = link(written, GENESIS)
        with pytest.raises((NotCanonicalLine, DamagedRecord)):
            holding(line + b"\n").read_events()


def test_a_journal_written_with_spaces_is_refused_with_the_way_out() -> None:
    with pytest.raises(NotCanonicalLine, match="Rewrite the file with: forge journal convert"):
        holding(spaced(3)).read_events()
    assert end_of(holding(spaced(3))).reason == "not canonical"


def test_a_change_anywhere_is_told_before_an_event_that_cannot_be_applied() -> None:
    data = log_of(*dumped(event(1), RunEvent(**{**dict(event(2)), "payload": {}}), event(3)))
    with pytest.raises(EventRefused, match="non-empty step"):
        holding(data).replay()
    with pytest.raises(DamagedRecord, match="line 3"):
        holding(data.replace(b"feature 3", b"feature 4")).replay()


@pytest.mark.parametrize("left", [0, 1, 2])
def test_a_lost_end_is_noticed_with_an_anchor_only(left: int) -> None:
    anchor = holding(content(3)).anchor()
    journal = holding(content(left))
    assert journal.read_events() == events(left)
    for read in (journal.read_events, journal.replay):
        with pytest.raises(AnchorMismatch, match=f"holds {left} records, the anchor remembers 3"):
            read(anchor=anchor)
    *_, end = journal.scan(anchor=anchor)
    assert end.reason == "anchor"


def test_an_anchor_is_checked_even_when_a_page_ends_before_it() -> None:
    anchor = holding(content(3)).anchor()
    other = log_of(*dumped(event(1), event(2), event(3, note="another")))
    with pytest.raises(AnchorMismatch):
        holding(other).read_events(limit=1, anchor=anchor)
    assert holding(content(5)).read_events(start=5, anchor=anchor) == [event(5)]


# Scanning and repairing.


def test_a_scan_gives_each_event_with_its_hashes_and_then_its_end() -> None:
    journal = EventJournal(PATH, disk=FakeDisk())
    hashes = [journal.append(one) for one in events(3)]
    *records, end = journal.scan()
    assert records == [
        JournalRecord(one, previous, record_hash)
        for one, previous, record_hash in zip(events(3), [GENESIS, *hashes], hashes, strict=False)
    ]
    assert end == ScanEnd("end", 3, hashes[-1], len(content(3)), None)


def test_a_scan_can_be_left_and_reads_no_further() -> None:
    class Counting(FakeDisk):
        reads = 0

        def read(self, path: Path, offset: int = 0, size: int | None = None) -> bytes:
            self.reads += 1
            return super().read(path, offset, size)

    disk = Counting({PATH: content(5000)})
    for _ in EventJournal(PATH, disk=disk).scan():
        break
    assert disk.reads == 1


def test_a_repair_keeps_the_whole_events_and_the_torn_bytes() -> None:
    disk = FakeDisk({PATH: content(3)[:-40]})
    journal = EventJournal(PATH, disk=disk)
    repaired = journal.repair()
    assert repaired is not None
    assert (repaired.count, journal.read_events(), journal.repair()) == (2, events(2), None)
    assert disk.files[PATH] + disk.files[repaired.path] == content(3)[:-40]
    journal.append(event(3))
    assert disk.files[PATH] == content(3)


def test_a_repair_that_would_lose_what_an_anchor_remembers_is_refused() -> None:
    anchor = holding(content(3)).anchor()
    disk = FakeDisk({PATH: content(3)[:-40]})
    with pytest.raises(AnchorMismatch):
        EventJournal(PATH, disk=disk).repair(anchor)
    with pytest.raises(AnchorMismatch):
        EventJournal(PATH, disk=disk).repair(after=anchor)
    assert disk.operations == []


def test_progress_rises_to_the_size_of_the_file() -> None:
    told: list[tuple[int, int]] = []
    size = len(content(9000))
    disk = FakeDisk({PATH: content(9000)})
    journal = EventJournal(PATH, disk=disk, progress=lambda done, total: told.append((done, total)))
    journal.anchor()
    assert len(told) > 1
    assert told == sorted(told)
    assert told[-1] == (size, size)
    assert {total for _, total in told} == {size}


def test_a_reader_beside_a_writer_never_sees_anything_wrong(tmp_path: Path) -> None:
    path = tmp_path / "run-1.jsonl"
    EventJournal(path).append(event(1))
    done = threading.Event()
    seen: list[str] = []

    def read() -> None:
        while not done.is_set():
            *_, end = EventJournal(path).scan()
            seen.append(end.reason)

    reader = threading.Thread(target=read)
    reader.start()
    journal = EventJournal(path, fsync_every=50)
    for one in events(200)[1:]:
        journal.append(one)
    done.set()
    reader.join()
    assert set(seen) == {"end"}
