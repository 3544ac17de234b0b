"""The timeline of a journal file, and the command that opens it."""

from __future__ import annotations

import re
import webbrowser
from pathlib import Path
from typing import Any

import pytest

from forge import cli
from forge.errors import InvalidValue
from forge.history import flatten
from forge.log import ChainLog
from forge.replay import EventJournal
from forge.state.models import EventKind
from forge.timeline.journal import journal_timeline
from tests.timeline.runs import event, long_run


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "run-1.jsonl"
    kept = EventJournal(path, fsync_every=100)
    for found in [
        event(1, EventKind.RUN_CREATED),
        event(2, step="plan"),
        event(3, EventKind.WRITE_PERMISSION_REVOKED),
        event(4, step="draft"),
    ]:
        kept.append(found)
    return path


@pytest.fixture(autouse=True)
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    addresses: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda address: bool(addresses.append(address)) or True)
    return addresses


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """The command as its user sees it: exit code, output, errors."""
    argv = ["forge", "timeline", *map(str, arguments)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", argv)
        with pytest.raises(SystemExit) as ended:
            cli.main()
    out, err = capsys.readouterr()
    code = ended.value.code
    return code if isinstance(code, int) else 0, out, err.strip()


def test_a_runs_journal_shows_the_runs_states(journal: Path) -> None:
    timeline = journal_timeline(journal)
    assert timeline.head["trust"] == {"count": 4, "broken": False}
    assert flatten(timeline.history.at(3))[("write_allowed",)] is False
    assert timeline.history.marks(3) == ("▲ write revoked",)
    assert timeline.history.describe(2) == "step_started plan"
    assert timeline.summary() == ["run-1.jsonl, 4 events", "  ✓ the chain holds up to record 4"]


def test_any_other_journal_counts_its_events_by_kind(tmp_path: Path) -> None:
    log = ChainLog(tmp_path / "progress.jsonl")
    for found in ({"kind": "opened"}, {"type": "asked"}, {"kind": "opened"}, {"said": "x"}, {"kind": 3}):
        log.append(found)
    timeline = journal_timeline(log.path)
    assert timeline.history.at(5) == {"opened": 2, "asked": 1, "event": 2}
    assert timeline.title == "progress.jsonl: events of each kind"


def test_an_empty_journal_has_no_event(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    assert journal_timeline(tmp_path / "empty.jsonl").head["count"] == 0


def test_a_broken_chain_is_shown_with_what_stands_behind_the_break(journal: Path) -> None:
    lines = journal.read_bytes().split(b"\n")
    journal.write_bytes(b"\n".join([lines[0], lines[1].replace(b"plan", b"plot"), b"rubbish", lines[3], b""]))
    timeline = journal_timeline(journal)
    head = timeline.head
    assert (head["count"], head["last"], head["end"]) == (4, 1, 4)
    assert [timeline.history.describe(n) for n in (2, 3, 4)] == [
        "step_started plot",
        "unreadable line",
        "step_started draft",
    ]
    assert timeline.summary()[1:] == [
        "  ◐ the chain holds up to record 1",
        f"  ✗ Trust ends at record 2: {head['stop']['reason']}",
    ]


def test_a_torn_tail_is_shown(journal: Path) -> None:
    journal.write_bytes(journal.read_bytes()[:-20])
    head = journal_timeline(journal).head
    assert (head["last"], head["end"], head["stop"]["mark"]) == (3, 4, "✗ torn record")


def test_a_first_record_that_is_torn_or_changed_is_shown(journal: Path) -> None:
    whole = journal.read_bytes()
    for damaged in (whole[:5], whole[:40], whole.replace(b"run_created", b"run_started")):
        journal.write_bytes(damaged)
        head = journal_timeline(journal).head
        assert (head["last"], head["stop"]["number"]) == (0, 1)


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n", b"# Forge\n\nA file\n", b'{\n "cells": []\n}\n', b"[1]\n", b"\n\n"]
)
def test_a_file_that_is_no_journal_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(InvalidValue, match=r"^this is not a journal: file begins with"):
        journal_timeline(tmp_path / "file")


def test_the_command_writes_the_page_and_says_what_is_in_it(
    journal: Path, tmp_path: Path, capsys: Any, opened: list[str]
) -> None:
    page = tmp_path / "pages" / "out.html"
    code, out, err = run(capsys, journal, "--html", page)
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "run-1.jsonl, 4 events",
        "  ✓ the chain holds up to record 4",
        f"  written to {page}",
    ]
    text = page.read_text(encoding="utf-8")
    assert "<title>run-1.jsonl</title>" in text
    assert not re.search(r"""(?:src|href)=|@import|url\(|https?://(?!www\.w3\.org/2000/svg)""", text)
    assert opened == []


def test_without_a_place_for_the_page_it_is_opened_in_the_browser(
    journal: Path, capsys: Any, opened: list[str]
) -> None:
    code, out, _ = run(capsys, journal)
    assert code == 0
    assert [address.split("/")[-1] for address in opened] == ["run-1.html"]
    assert Path(out.splitlines()[-1].removeprefix("  written to ")).is_file()


def test_the_command_says_what_is_wrong_in_one_sentence(journal: Path, tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n", encoding="utf-8")
    code, _, err = run(capsys, tmp_path / "notes.md")
    assert code == 1
    assert err.startswith("✗ this is not a journal: notes.md begins with '# Notes'")
    code, _, err = run(capsys, journal, "--html", journal)
    assert code == 1
    assert err.startswith("✗ --html was refused: run-1.jsonl is the journal itself.")
    assert journal_timeline(journal).head["count"] == 4
    code, _, err = run(capsys, tmp_path / "none.jsonl")
    assert code == 2
    assert "does not exist" in err


def test_a_broken_chain_is_a_page_too(journal: Path, tmp_path: Path, capsys: Any) -> None:
    journal.write_bytes(journal.read_bytes().replace(b"draft", b"craft"))
    code, out, _ = run(capsys, journal, "--html", tmp_path / "out.html")
    assert code == 0
    assert "✗ Trust ends at record 4: " in out


def test_progress_is_told_while_a_journal_is_verified_replayed_and_written(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    kept = EventJournal(path, fsync_every=10_000)
    for found in long_run(50).events:
        kept.append(found)
    told: list[tuple[str, int, int | None]] = []
    timeline = journal_timeline(path, lambda *step: told.append(step))
    timeline.to_html(
        tmp_path / "out.html", progress=lambda done, total: told.append(("writing", done, total))
    )
    assert [what for what, *_ in told] == ["verifying", "replaying", "writing"]
    assert told[0][1:] == (path.stat().st_size, path.stat().st_size)
    assert told[-1][1:] == (50, 50)
