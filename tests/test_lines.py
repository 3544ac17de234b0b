"""Lines follow each other or are told apart: the fast question and the full one give one answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from forge.chain import GENESIS, event_bytes, follows, seal, unseal
from forge.errors import InvalidValue, TornTail
from forge.fakes import FakeDisk
from forge.log import ChainLog
from forge.storage import Disk

PATH = Path("/work/journal.jsonl")
LINE, HASH = seal({"text": "a record of its own"}, GENESIS)


def holding(data: bytes) -> tuple[ChainLog, Disk]:
    disk = FakeDisk({PATH: data})
    return ChainLog(PATH, disk=disk), disk


def by_unsealing(line: bytes, previous_hash: str) -> str | None:
    try:
        _, previous, recorded, computed = unseal(line)
    except InvalidValue:
        return None
    return recorded if previous == previous_hash and recorded == computed else None


def test_a_line_follows_exactly_when_unsealing_it_shows_that_it_does() -> None:
    changed = [LINE[:size] for size in range(len(LINE))]
    changed += [LINE[:at] + bytes([LINE[at] ^ 1]) + LINE[at + 1 :] for at in range(len(LINE))]
    changed += [LINE + b" ", b" " + LINE, LINE + LINE]

    assert follows(LINE, GENESIS) == by_unsealing(LINE, GENESIS) == HASH
    assert follows(LINE, HASH) is None
    assert by_unsealing(LINE, HASH) is None
    for line in changed:
        assert follows(line, GENESIS) is None
        assert by_unsealing(line, GENESIS) is None


def test_the_event_in_a_line_is_a_slice_of_it() -> None:
    assert event_bytes(LINE) == unseal(LINE)[0] == b'{"text":"a record of its own"}'


@pytest.mark.parametrize("behind", [b"\0", bytes(300), b'{"event":{"text"', LINE])
def test_a_record_without_its_newline_is_kept_when_something_torn_stands_behind_it(behind: bytes) -> None:
    log, disk = holding(LINE + behind)

    with pytest.raises(TornTail) as torn:
        log.read()
    assert (torn.value.evidence["count"], torn.value.evidence["offset"]) == (1, len(LINE))
    repaired = log.repair()

    assert repaired is not None
    assert disk.read(repaired.path) == behind
    assert disk.read(PATH) == LINE
    assert log.append({"text": "the next"}).number == 2
    assert [record.event["text"] for record in log.read()] == ["a record of its own", "the next"]


def test_a_record_hash_inside_an_event_does_not_end_a_record() -> None:
    line, _ = seal({"record_hash": HASH}, GENESIS)

    for size in range(1, len(line)):
        log, _ = holding(line[:size])
        with pytest.raises(TornTail) as torn:
            log.read()
        assert torn.value.evidence["offset"] == 0
