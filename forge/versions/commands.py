"""What `forge versions` does; each function gives the lines to print."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .club import club_repository
from .digests import canonical
from .repository import Repository
from .states import State
from .views import temporal_view


@contextmanager
def opened(path: Path | None) -> Iterator[Repository]:
    """The version memory in a file; without one, the club's, in a folder that is gone afterwards."""
    if path is not None:
        with Repository(path) as repository:
            yield repository
        return
    with (
        tempfile.TemporaryDirectory(prefix="forge-club-") as folder,
        club_repository(Path(folder) / "club.sqlite", durable=False) as club,
    ):
        yield club


def ask(path: Path | None, question: str, as_of: int, on: str) -> list[str]:
    """The answer that the view gives, and where it stands; or why there is none."""
    with opened(path) as repository:
        given = repository.ask(question, as_of, on)
    if given.citation is None:
        return [f"○ no answer: {given.reason}"]
    return [f"✓ {given.value}", f"  {given.citation}"]


def replay(path: Path | None, as_of: int | None, on: str | None, *, as_json: bool = False) -> list[str]:
    """The state after the first `as_of` events, or all of them; with a day, as it is on that day."""
    with opened(path) as repository:
        state = repository.replay(as_of)
        count = len(repository) if as_of is None else as_of
    if on is not None:
        state = temporal_view(state, on)
    if as_json:
        return [canonical(state)]
    day = "" if on is None else f", on {on}"
    events = "event" if count == 1 else "events"
    return [f"after {count} {events}{day}", *(described(state) or ["  nothing is known"])]


def described(state: State) -> list[str]:
    """Every version of every document, and every memory, with its status."""
    lines = [
        (f"{doc_id}@{version}", row["status"], row["title"])
        for doc_id, rows in sorted(state["documents"].items())
        for version, row in rows.items()
    ]
    lines += [
        (f"{row['scope']}/{row['key']}@{row['version']}", row["status"], row["value"])
        for _, row in sorted(state["memories"].items())
    ]
    width = max((len(name) for name, _, _ in lines), default=0)
    return [f"  {name:<{width}}  {status:<13}  {text}" for name, status, text in lines]


def verify(path: Path) -> list[str]:
    """What the file holds, if its chain holds and its snapshot agrees; else the error of what does not."""
    with Repository(path) as repository:
        anchor = repository.anchor()
    return [
        f"✓ {path.name} holds {anchor.count} events, and its snapshot is the state they lead to",
        f"  anchor {anchor.count}:{anchor.head}",
    ]
