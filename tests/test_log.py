"""The log keeps what it acknowledged, says what is wrong with the rest, and never guesses."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.chain import GENESIS, MAX_SAFE_INTEGER, seal
from forge.errors import (
    AnchorMismatch,
    DamagedRecord,
    InvalidValue,
    LogError,
    NotCanonicalLine,
    SequenceGap,
    StaleWriter,
    StorageError,
    TornTail,
)
from forge.fakes import FakeDisk
from forge.log import Anchor, ChainLog, Record, Repair, ScanEnd, require_position

PATH = Path("/work/journal.jsonl")
NULS = bytes(512)


def event(number: int) -> dict[str, object]:
    return {"sequence": number, "kind": "step_completed", "payload": {"step": f"step {number}"}}


def chain(events: int, *, head: str = GENESIS, first: int = 1) -> list[bytes]:
    """The lines of a sound log, without their newlines."""
    lines = []
    for number in range(first, first + events):
        line, head = seal(event(number), head)
        lines.append(line)
    return lines


def content(events: int) -> bytes:
    return b"".join(line + b"\n" for line in chain(events))


def holding(data: bytes) -> ChainLog:
    return ChainLog(PATH, disk=FakeDisk({PATH: data}))


def events_of(log: ChainLog) -> list[object]:
    return [record.event for record in log.read()]


def end_of(log: ChainLog) -> ScanEnd:
    *records, end = log.scan()
    assert all(isinstance(record, Record) for record in records)
    assert isinstance(end, ScanEnd)
    assert end.count == len(records)
    return end


# Writing and reading back.


def test_what_is_appended_reads_back_equal_and_in_order(tmp_path: Path) -> None:
    log = ChainLog(tmp_path / "runs" / "journal.jsonl")
    written = [log.append(event(number)) for number in (1, 2, 3)]

    assert ChainLog(log.path).read() == written
    assert [record.number for record in written] == [1, 2, 3]
    assert written[0].previous_hash == GENESIS
    assert written[2].previous_hash == written[1].record_hash


def test_the_file_holds_one_canonical_line_a_record(tmp_path: Path) -> None:
    log = ChainLog(tmp_path / "journal.jsonl")
    for number in (1, 2, 3):
        log.append(event(number))

    data = log.path.read_bytes()

    assert data == content(3)
    assert [data[record.offset : record.offset + 9] for record in log.read()] == [b'{"event":'] * 3
    assert os.listdir(tmp_path) == ["journal.jsonl"]  # noqa: PTH208


def test_a_log_that_does_not_exist_is_empty_and_reading_does_not_make_it(tmp_path: Path) -> None:
    log = ChainLog(tmp_path / "none" / "journal.jsonl")

    assert log.read() == []
    assert log.anchor() == Anchor(count=0, head=GENESIS)
    assert log.repair() is None
    assert end_of(log).reason == "end"
    log.sync()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["a\u2028b", "a\u2029b", "a\x85b", "a\x0bb", "a\x1cb", "a\r\nb", "\n", "\0"])
def test_a_payload_with_any_kind_of_newline_reads_back_equal(text: str) -> None:
    log = holding(content(2))
    log.append({"text": text, text: 1})
    log.append(event(4))

    assert events_of(ChainLog(PATH, disk=log._disk))[2] == {"text": text, text: 1}


@pytest.mark.parametrize(
    "payload", [{1: "a"}, {"n": float("nan")}, {"n": 2**53}, {"t": "\ud800"}, {"p": (1, 2)}, {"s": {1}}]
)
def test_what_json_would_change_is_refused_and_nothing_is_written(payload: dict[str, object]) -> None:
    log = holding(content(2))

    with pytest.raises(InvalidValue, match=r"^event\.payload"):
        log.append({"payload": payload})

    assert log._disk.read(PATH) == content(2)


def test_a_record_that_was_read_cannot_be_changed() -> None:
    (record,) = holding(content(1)).read()

    with pytest.raises(TypeError):
        record.event["payload"]["step"] = "another"


def test_an_event_that_is_changed_after_its_append_changes_no_record() -> None:
    log = holding(b"")
    mine = event(1)
    record = log.append(mine)
    mine["payload"]["step"] = "another"  # type: ignore[index]

    assert record.event == event(1) == events_of(log)[0]


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(st.dictionaries(st.text(), values, max_size=3), max_size=5))
def test_any_events_read_back_equal_and_in_the_bytes_of_any_other_writer(
    events: list[dict[str, object]],
) -> None:
    disk, other = FakeDisk(), FakeDisk()
    for number, item in enumerate(events):
        ChainLog(PATH, disk=disk).append(item, expected=number)
    log = ChainLog(PATH, disk=other)
    for item in events:
        log.append(item)

    assert events_of(ChainLog(PATH, disk=disk)) == events
    assert disk.files == other.files


# Reading a part.


def test_a_page_of_any_size_joins_to_the_whole() -> None:
    log = holding(content(10))
    for size in range(1, 12):
        pages = [log.read(start=start, limit=size) for start in range(1, 11, size)]
        assert [record for page in pages for record in page] == log.read()


def test_reading_from_beyond_the_end_gives_nothing() -> None:
    assert holding(content(3)).read(start=4) == []
    assert holding(content(3)).read(limit=0) == []
    with pytest.raises(InvalidValue, match=r"start was refused: expected a number of at least 1, found 0"):
        holding(content(3)).read(start=0)


def test_a_page_is_read_no_further_than_it_goes() -> None:
    log = holding(content(3) + NULS + b"\n")

    assert [record.number for record in log.read(start=2, limit=2)] == [2, 3]
    with pytest.raises(DamagedRecord):
        log.read(start=2, limit=3)


def test_what_comes_before_a_page_is_verified() -> None:
    log = holding(content(3).replace(b"step 1", b"step 9"))

    with pytest.raises(DamagedRecord):
        log.read(start=3)


def test_reading_never_writes() -> None:
    torn = content(2) + b'{"event":{"seq'
    for data in (content(3), torn, content(1) + NULS + b"\n", b""):
        log = holding(data)
        end_of(log)
        for read in (log.read, log.anchor):
            with suppress(LogError):
                read()
        assert log._disk.operations == []  # type: ignore[attr-defined]


# A torn tail.


def test_the_last_line_cut_at_any_byte_is_a_torn_tail_and_the_rest_is_kept() -> None:
    whole = content(2)
    line = chain(3)[2]
    for size in range(1, len(line)):
        log = holding(whole + line[:size])
        with pytest.raises(TornTail) as torn:
            log.read()
        assert torn.value.evidence["count"] == 2
        assert torn.value.evidence["offset"] == len(whole)
        with pytest.raises(TornTail):
            log.append(event(3))
        end = end_of(log)
        assert (end.reason, end.count, end.offset) == ("torn", 2, len(whole))

        repaired = log.repair()

        aside = PATH.with_name(f"journal.jsonl.torn-{len(whole)}")
        assert repaired == Repair(aside, size, len(whole), 2)
        assert log._disk.files == {PATH: whole, aside: line[:size]}  # type: ignore[attr-defined]
        assert log.repair() is None
        log.append(event(3))
        assert events_of(log) == [event(1), event(2), event(3)]


def test_a_torn_tail_is_told_in_a_sentence() -> None:
    with pytest.raises(TornTail) as torn:
        holding(content(1) + b'{"event"').read()

    assert str(torn.value) == (
        "journal ends in a torn line: journal.jsonl holds 1 whole record, then 8 bytes of an unfinished one "
        f"from byte {len(content(1))}. repair() moves those bytes aside and keeps the records."
    )


def test_a_last_line_that_verifies_without_its_newline_is_a_record() -> None:
    log = holding(content(3)[:-1])

    assert log.anchor().count == 3
    assert log.repair() is None
    log.append(event(4))
    log.append(event(5))
    assert log._disk.read(PATH) == content(5)


def test_two_writers_mend_a_lost_newline_once() -> None:
    disk = FakeDisk({PATH: content(2)[:-1]})
    first, second = ChainLog(PATH, disk=disk), ChainLog(PATH, disk=disk)
    for log in (first, second):
        with pytest.raises(SequenceGap):
            log.append(event(3), expected=99)
    first.append(event(3))
    second.append(event(4))
    first.append(event(5))

    assert disk.read(PATH) == content(5)


def test_a_tail_torn_twice_at_one_place_keeps_both() -> None:
    disk = FakeDisk({PATH: content(1) + b"first tail"})
    ChainLog(PATH, disk=disk).repair()
    disk.append(PATH, b"second tail")

    repaired = ChainLog(PATH, disk=disk).repair()

    assert repaired is not None
    assert repaired.path.name == f"journal.jsonl.torn-{len(content(1))}.2"
    assert sorted(disk.files.values()) == sorted([content(1), b"first tail", b"second tail"])


def test_a_log_with_nothing_but_a_torn_line_is_empty_after_its_repair() -> None:
    log = holding(b'{"event":{"kind"')

    assert log.repair() == Repair(PATH.with_name("journal.jsonl.torn-0"), 16, 0, 0)
    assert log.append(event(1)).number == 1


def test_a_repair_that_would_lose_what_an_anchor_remembers_is_refused() -> None:
    line = chain(3)[2]
    disk = FakeDisk({PATH: content(2) + line[:20]})
    log = ChainLog(PATH, disk=disk)

    with pytest.raises(AnchorMismatch, match=r"holds 2 records, the anchor remembers 3"):
        log.repair(after=holding(content(3)).anchor())

    assert disk.operations == []
    assert log.repair(after=holding(content(2)).anchor()) is not None
    with pytest.raises(AnchorMismatch):
        ChainLog("/work/none", disk=disk).repair(after=holding(content(2)).anchor())


class HalfWritten(FakeDisk):
    """Another process is in the middle of an append: who does not ask for the lock sees half of it."""

    def __init__(self, files: dict[Path, bytes], missing: int) -> None:
        super().__init__(files)
        self.missing = missing

    def read(self, path: Path, offset: int = 0, size: int | None = None) -> bytes:
        data = super().read(path)[: -self.missing or None]
        return data[offset : None if size is None else offset + size]

    @contextmanager
    def lock(self, path: Path, *, shared: bool = False, wait: bool = True) -> Iterator[None]:
        self.missing = 0  # whoever wrote has finished, or there would be no lock
        with super().lock(path, shared=shared, wait=wait):
            yield


def test_an_append_that_is_half_done_is_never_a_torn_tail() -> None:
    for missing in range(2, len(chain(1)[0])):
        log = ChainLog(PATH, disk=HalfWritten({PATH: content(3)}, missing))
        assert len(log.read()) == 3


# Damage.


def test_two_records_on_one_line_are_damage() -> None:
    first, second, third = chain(3)
    log = holding(first + b"\n" + second + third + b"\n")

    with pytest.raises(DamagedRecord, match=r"^journal hash chain broken at line 2: "):
        log.read()
    assert end_of(log).count == 1


def test_a_block_of_zeros_between_two_lines_is_damage_and_stays() -> None:
    first, second = chain(2)
    data = first + b"\n" + NULS + second + b"\n"
    log = holding(data)

    for ask in (log.read, log.anchor, log.repair, lambda: log.append(event(3))):
        with pytest.raises(DamagedRecord, match=r"^journal record hash mismatch at line 2: "):
            ask()
    assert log._disk.read(PATH) == data
    assert end_of(log).reason == "damaged"


def test_a_changed_event_is_named_by_line_byte_and_both_hashes() -> None:
    data = content(3).replace(b"step 2", b"step X")

    with pytest.raises(DamagedRecord) as damaged:
        holding(data).read()

    first = len(chain(1)[0]) + 1
    assert re.sub("[0-9a-f]{12}", "<hash>", str(damaged.value)) == (
        f"journal record hash mismatch at line 2: byte {first} of journal.jsonl: it says '<hash>', its bytes "
        "give '<hash>'. Take it from a copy; scan() gives the 1 whole record before it."
    )
    assert (damaged.value.evidence["line"], damaged.value.evidence["offset"]) == (2, first)


@pytest.mark.parametrize("missing", [1, 2])
def test_a_removed_line_breaks_the_chain(missing: int) -> None:
    lines = chain(3)
    del lines[missing - 1]

    with pytest.raises(DamagedRecord, match=rf"^journal hash chain broken at line {missing}: "):
        holding(b"\n".join(lines) + b"\n").read()


def test_an_empty_line_is_damage() -> None:
    with pytest.raises(DamagedRecord, match=r"at line 2"):
        holding(content(1) + b"\n").read()


@pytest.mark.parametrize(("seen", "twin"), [(0, "starts the log, as line 1 does"), (2, "as line 3 does")])
def test_a_fork_is_reported_as_a_fork(seen: int, twin: str) -> None:
    head = holding(content(seen)).anchor().head
    stale = chain(1, head=head, first=seen + 1)[0]

    with pytest.raises(DamagedRecord, match=r"^journal hash chain broken at line 5: ") as forked:
        holding(content(4) + stale + b"\n").read()

    assert "a fork" in str(forked.value)
    assert twin in str(forked.value)


def test_a_line_that_was_changed_as_well_is_not_called_a_fork() -> None:
    head = holding(content(2)).anchor().head
    changed = chain(1, head=head, first=3)[0].replace(b"step 3", b"step X")

    with pytest.raises(DamagedRecord, match=r"^journal hash chain broken at line 5: ") as damaged:
        holding(content(4) + changed + b"\n").read()

    assert "fork" not in str(damaged.value)


def test_every_flipped_bit_is_noticed() -> None:
    data = content(3)
    for bit in range(len(data) * 8):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        with pytest.raises(LogError):
            holding(bytes(flipped)).anchor()


def test_a_line_whose_bytes_verify_and_say_no_event_is_damage() -> None:
    for value in (b"[1,2]", b"{nonsense", b'{"a":1,"a":2}'):
        line = _sealed_by_hand(value)
        with pytest.raises(DamagedRecord, match=r"^journal record is not an event at line 1: byte 0 of"):
            holding(line + b"\n").read()
        assert end_of(holding(line + b"\n")).reason == "damaged"


def _sealed_by_hand(value: bytes) -> bytes:
    body = b'{"event":' + value + b',"previous_hash":"' + GENESIS.encode() + b'"'
    return body + b',"record_hash":"' + sha256(body + b"}").hexdigest().encode() + b'"}'


# Other bytes for the same record.


@pytest.mark.parametrize("newline", [b"\n", b"\r\n", b""])
def test_a_line_with_spaces_is_refused_with_the_way_out(newline: bytes) -> None:
    spaced = json.dumps(json.loads(chain(2)[1]), ensure_ascii=False, sort_keys=True).encode()
    log = holding(content(1) + spaced + newline)

    for ask in (log.read, log.anchor, log.repair, lambda: log.append(event(3))):
        with pytest.raises(
            NotCanonicalLine, match=r"^journal line 2 is not canonical: .*forge journal convert"
        ):
            ask()
    assert end_of(log).reason == "not canonical"


def test_keys_in_another_order_are_not_canonical_even_when_they_verify() -> None:
    with pytest.raises(NotCanonicalLine):
        holding(_sealed_by_hand(b'{"b":1,"a":2}') + b"\n").read()


def test_a_line_with_spaces_that_was_changed_as_well_is_damage() -> None:
    spaced = json.dumps(json.loads(chain(1)[0]), sort_keys=True).encode().replace(b"step 1", b"step 9")

    with pytest.raises(DamagedRecord, match=r"^journal record hash mismatch at line 1"):
        holding(spaced + b"\n").read()


# Anchors.


def test_records_dropped_from_the_end_are_noticed_with_an_anchor_only() -> None:
    anchor = holding(content(5)).anchor()

    for kept in (3, 0):
        log = holding(content(kept))
        assert len(log.read()) == kept
        with pytest.raises(AnchorMismatch) as mismatch:
            log.read(anchor=anchor)
        assert str(mismatch.value).startswith(
            f"journal does not match its anchor: journal.jsonl holds {kept} records, the anchor remembers 5."
        )
        assert list(log.scan(anchor=anchor))[-1].reason == "anchor"  # type: ignore[union-attr]


def test_a_file_written_anew_is_noticed_with_an_anchor_only() -> None:
    anchor = holding(content(3)).anchor()
    forged = holding(b"".join(line + b"\n" for line in chain(4, first=2)))

    assert len(forged.read()) == 4
    with pytest.raises(AnchorMismatch, match=r"record 3 of journal.jsonl is [0-9a-f]{12}…, the anchor"):
        forged.read(anchor=anchor)


def test_a_log_that_has_grown_since_matches_its_anchor() -> None:
    anchor = holding(content(3)).anchor()

    assert len(holding(content(5)).read(anchor=anchor)) == 5
    assert len(holding(content(5)).read(limit=1, anchor=anchor)) == 1
    with pytest.raises(AnchorMismatch):
        holding(content(2)).read(limit=1, anchor=anchor)


def test_an_anchor_does_not_hide_what_the_object_has_seen_beyond_it() -> None:
    log = holding(b"")
    for number in (1, 2, 3):
        log.append(event(number))
    anchor = holding(content(2)).anchor()
    assert len(log.read(anchor=anchor)) == 3
    log._disk.truncate(PATH, len(content(2)))

    with pytest.raises(AnchorMismatch, match=r"holds 2 records, the anchor remembers 3"):
        log.read(anchor=anchor)


@pytest.mark.parametrize(("count", "head"), [(-1, GENESIS), (1, GENESIS), (0, "a" * 64), (1, "A" * 64)])
def test_an_anchor_that_no_log_can_have_is_refused(count: int, head: str) -> None:
    with pytest.raises(InvalidValue, match=r"^Anchor"):
        Anchor(count=count, head=head)


# Writers.


@pytest.mark.parametrize("expected", [None, 2])
def test_a_writer_that_expects_what_there_is_may_write(expected: int | None) -> None:
    require_position(2, expected, PATH)


def test_a_writer_that_has_not_seen_the_newest_records_is_stale() -> None:
    with pytest.raises(StaleWriter) as stale:
        require_position(5, 3, PATH)

    assert str(stale.value) == (
        "the log has moved on: journal.jsonl stands at record 5, the writer expected 3. "
        "Read the log again from record 4 and decide anew."
    )
    assert (stale.value.evidence["count"], stale.value.evidence["expected"]) == (5, 3)


def test_a_writer_that_expects_more_than_there_is_finds_a_gap() -> None:
    with pytest.raises(
        SequenceGap, match=r"the log ends too early: journal.jsonl stands at record 2, the"
    ) as gap:
        require_position(2, 5, PATH)

    assert "Find records 3 to 5" in str(gap.value)


def test_a_refused_writer_has_written_nothing() -> None:
    log = holding(content(2))
    for expected in (0, 1, 3):
        with pytest.raises((StaleWriter, SequenceGap)):
            log.append(event(3), expected=expected)

    assert log._disk.read(PATH) == content(2)
    assert log.append(event(3), expected=2).number == 3


def test_a_second_writer_between_two_appends_is_read_and_followed() -> None:
    disk = FakeDisk()
    first, second = ChainLog(PATH, disk=disk), ChainLog(PATH, disk=disk)
    for number in range(1, 7):
        (first if number % 2 else second).append(event(number), expected=number - 1)

    assert events_of(first) == [event(number) for number in range(1, 7)]


def test_a_second_writer_cannot_come_between_reading_the_end_and_writing() -> None:
    sound = FakeDisk({PATH: content(1)})
    ChainLog(PATH, disk=sound).append(event(2))

    for step in range(1, len(sound.operations) + 1):
        disk = FakeDisk({PATH: content(1)})
        disk._before[step] = lambda disk=disk: ChainLog(PATH, disk=disk).append({"writer": "second"})  # type: ignore[misc]
        ChainLog(PATH, disk=disk).append({"writer": "first"})
        assert len(ChainLog(PATH, disk=disk).read()) == 3


def test_damage_that_is_added_behind_a_writer_stops_it() -> None:
    disk = FakeDisk()
    log = ChainLog(PATH, disk=disk)
    log.append(event(1))
    disk.append(PATH, b"not a record\n")

    with pytest.raises(DamagedRecord, match=r"at line 2"):
        log.append(event(2))


@pytest.mark.parametrize("other", [content(1), b"", b"".join(line + b"\n" for line in chain(9, first=2))])
def test_a_log_that_was_cut_or_replaced_behind_its_writer_is_noticed(other: bytes) -> None:
    disk = FakeDisk()
    log = ChainLog(PATH, disk=disk)
    log.append(event(1))
    log.append(event(2))
    disk.truncate(PATH, 0)
    disk.append(PATH, other)

    for _ in range(2):
        with pytest.raises(
            AnchorMismatch, match=r"^journal was cut or replaced: journal.jsonl no longer has"
        ):
            log.append(event(3))
    with pytest.raises(AnchorMismatch):
        log.read()
    assert disk.read(PATH) == other


def test_an_append_costs_the_same_however_long_the_log_is() -> None:
    class Counting(FakeDisk):
        bytes_read = 0

        def read(self, path: Path, offset: int = 0, size: int | None = None) -> bytes:
            data = super().read(path, offset, size)
            self.bytes_read += len(data)
            return data

    read = []
    for length in (1, 500):
        disk = Counting({PATH: content(length)})
        log = ChainLog(PATH, disk=disk)
        log.append(event(length + 1))
        disk.bytes_read = 0
        log.append(event(length + 2))
        read.append(disk.bytes_read)

    assert read[0] == read[1] < 100


def test_writers_in_four_processes_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    children = [writer(path, str(number), 50) for number in range(4)]
    printed = [child.communicate(timeout=120)[0].split() for child in children]

    assert [child.returncode for child in children] == [0] * 4
    records = ChainLog(path).read()
    assert sorted(int(number) for numbers in printed for number in numbers) == list(range(1, 201))
    for number, numbers in enumerate(printed):
        mine = [record for record in records if record.event["writer"] == str(number)]
        assert [record.event["step"] for record in mine] == list(range(50))
        assert [str(record.number) for record in mine] == numbers


def writer(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    here = Path(__file__).parent
    return subprocess.Popen(
        [sys.executable, str(here / "log_writer_child.py"), str(path), name, str(count)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(here.parent)},
    )


def test_what_was_acknowledged_before_a_kill_is_there(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    for round_ in range(1, 4):
        child = writer(path, "killed", 0)
        assert child.stdout is not None
        acknowledged = [int(child.stdout.readline()) for _ in range(20 * round_)]
        child.kill()
        acknowledged += [int(line) for line in child.communicate()[0].split()]

        log = ChainLog(path)
        log.repair()
        assert log.anchor().count >= max(acknowledged)


def test_a_reader_beside_a_writer_never_sees_anything_wrong(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    child = writer(path, "busy", 200)
    seen = 0
    while child.poll() is None:
        count = ChainLog(path).anchor().count
        assert count >= seen
        seen = count
    child.communicate()

    assert ChainLog(path).anchor().count == 200


@pytest.mark.parametrize("shared", [True, False], ids=["one log object", "one each"])
def test_threads_write_one_after_the_other(tmp_path: Path, shared: bool) -> None:
    path = tmp_path / "journal.jsonl"
    one = ChainLog(path, fsync_every=10)

    def write(name: int) -> None:
        log = one if shared else ChainLog(path, fsync_every=10)
        for step in range(25):
            log.append({"writer": name, "step": step})

    threads = [threading.Thread(target=write, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    steps = [(record.event["writer"], record.event["step"]) for record in ChainLog(path).read()]
    assert sorted(steps) == [(name, step) for name in range(4) for step in range(25)]


# A disk that says no.


def test_a_full_disk_leaves_the_log_as_it_was_and_the_writer_usable() -> None:
    line = len(chain(3)[2]) + 1
    for fits in range(line):
        step = 3  # make_folder, sync_folder, append
        disk = FakeDisk({PATH: content(2)}, short={step: fits})
        log = ChainLog(PATH, disk=disk)
        with pytest.raises(StorageError, match=r"cannot append /work/journal.jsonl: .*Make room on the disk"):
            log.append(event(3))
        assert disk.read(PATH) == content(2)
        assert log.append(event(3)).number == 3


def test_a_failure_at_any_step_of_an_append_leaves_the_log_as_it_was() -> None:
    sound = FakeDisk({PATH: content(2)})
    ChainLog(PATH, disk=sound).append(event(3))

    for step in range(1, len(sound.operations) + 1):
        disk = FakeDisk({PATH: content(2)}, fail={step: OSError(errno.EIO, "the device failed")})
        log = ChainLog(PATH, disk=disk)
        with pytest.raises(StorageError):
            log.append(event(3))
        assert disk.read(PATH) == content(2)
        log.append(event(3))
        assert disk.read(PATH) == content(3)


def test_a_write_that_cannot_be_taken_back_is_a_torn_tail() -> None:
    disk = FakeDisk({PATH: content(2)}, short={3: 40}, fail={4: OSError(errno.EIO, "the device failed")})
    log = ChainLog(PATH, disk=disk)

    with pytest.raises(StorageError):
        log.append(event(3))
    with pytest.raises(TornTail):
        log.append(event(3))
    assert log.repair() is not None
    assert log.append(event(3)).number == 3


# Power cuts.


def opened_after_a_cut(left: dict[Path, bytes], acknowledged: int, written: int) -> None:
    """After the restart the log is whole or torn, and holds what was acknowledged and nothing else."""
    disk = FakeDisk(left)
    log = ChainLog(PATH, disk=disk)
    end = end_of(log)
    if end.reason == "torn":
        repaired = log.repair()
        assert repaired is not None
        assert disk.read(repaired.path) == left[PATH][end.offset :]
    found = log.read()
    assert len(found) == end.count
    assert acknowledged <= len(found) <= written
    assert [record.event for record in found] == [event(number + 1) for number in range(len(found))]
    assert log.repair() is None
    log.append(event(len(found) + 1))
    assert len(ChainLog(PATH, disk=disk).read()) == len(found) + 1


@pytest.mark.parametrize(
    ("before", "held"),
    [({}, 0), ({PATH: b""}, 0), ({PATH: content(2)}, 2), ({PATH: content(2)[:-1]}, 2)],
    ids=["no file", "an empty file", "two records", "a lost newline"],
)
def test_a_power_cut_at_any_point_of_an_append_loses_nothing_acknowledged(
    before: dict[Path, bytes], held: int
) -> None:
    disk = FakeDisk(before)
    log = ChainLog(PATH, disk=disk)
    safe_from = {held: 0}
    for number in (held + 1, held + 2):
        log.append(event(number))
        safe_from[number] = len(disk.operations)
    tried = 0

    for step in range(len(disk.operations) + 1):
        acknowledged = max(number for number, from_step in safe_from.items() if from_step <= step)
        for left in disk.states_after_cut(step):
            opened_after_a_cut(left, acknowledged, held + 2)
            tried += 1

    print(f"{tried} contents after a power cut")
    assert tried > 450


def test_a_power_cut_at_any_point_of_a_repair_loses_no_byte() -> None:
    tail = chain(3)[2][:50]
    aside = PATH.with_name(f"{PATH.name}.torn-{len(content(2))}")
    disk = FakeDisk({PATH: content(2) + tail})
    ChainLog(PATH, disk=disk).repair()
    tried = 0

    for step in range(len(disk.operations) + 1):
        for left in disk.states_after_cut(step):
            if left[PATH] == content(2) or step == len(disk.operations):
                assert left == {PATH: content(2), aside: tail}
            restarted = FakeDisk(left)
            ChainLog(PATH, disk=restarted).repair()
            assert restarted.files == {PATH: content(2), aside: tail}
            opened_after_a_cut(left, 2, 2)
            tried += 1

    print(f"{tried} contents after a power cut")
    assert tried > 50


def test_a_repair_that_was_killed_is_finished_by_the_next() -> None:
    torn = {PATH: content(2) + b"half"}
    sound = FakeDisk(torn)
    ChainLog(PATH, disk=sound).repair()

    for step in range(1, len(sound.operations) + 1):
        disk = FakeDisk(torn, fail={step: KeyboardInterrupt()})
        log = ChainLog(PATH, disk=disk)
        with pytest.raises(KeyboardInterrupt):
            log.repair()
        log.repair()
        assert disk.files == sound.files


def test_a_record_follows_one_whose_writer_died_before_it_was_safe() -> None:
    sound = FakeDisk()
    ChainLog(PATH, disk=sound).append(event(1))

    for step in range(1, len(sound.operations) + 1):
        disk = FakeDisk(fail={step: KeyboardInterrupt()})
        with pytest.raises(KeyboardInterrupt):
            ChainLog(PATH, disk=disk).append(event(1))
        second = ChainLog(PATH, disk=disk)
        head = second.anchor().count
        second.append(event(head + 1))
        for left in disk.states_after_cut(len(disk.operations)):
            opened_after_a_cut(left, head + 1, head + 1)


def test_with_fsync_every_a_power_cut_keeps_what_was_synced_and_shows_the_rest() -> None:
    disk = FakeDisk({PATH: b""})
    log = ChainLog(PATH, disk=disk, fsync_every=3)
    for number in range(1, 6):
        log.append(event(number))
    unsynced = len(disk.operations)
    log.sync()

    assert [operation.name for operation in disk.operations].count("sync") == 2
    for left in disk.states_after_cut(len(disk.operations)):
        opened_after_a_cut(left, 5, 5)
    holes = 0
    for left in disk.states_after_cut(unsynced):
        end = end_of(ChainLog(PATH, disk=FakeDisk(left)))
        assert 3 <= end.count <= 5
        assert end.reason in ("end", "torn", "damaged")
        holes += end.reason == "damaged"
    assert holes == 1, "the fourth record lost and the fifth kept is damage, and is said to be"


@pytest.mark.parametrize("fsync_every", [0, -1])
def test_a_log_that_would_never_be_synced_is_refused(fsync_every: int) -> None:
    with pytest.raises(InvalidValue, match=r"fsync_every was refused"):
        ChainLog(PATH, fsync_every=fsync_every)
