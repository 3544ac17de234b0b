"""The agent harness at a prompt."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import ForgeError
from .app import app, out

if TYPE_CHECKING:
    from ..harness.harness import Harness
    from ..harness.permissions import Answer, Asked


@app.command()
def harness(
    workspace: Annotated[Path, typer.Argument(help="The folder to work in.", file_okay=False)] = Path(),
    session: Annotated[str, typer.Option(help="A session to begin or to go on with.")] = "main",
    expert: Annotated[str | None, typer.Option(help="An expert that comes with forge.")] = None,
    off: Annotated[list[str] | None, typer.Option(help="A mechanism to switch off; may be repeated.")] = None,
) -> None:
    """Talk with an agent: a line is a message, “/help” lists the commands, an empty input ends.

    The model is a mock that is always there; FORGE_PROVIDER names a real one.
    """
    from ..harness.opening import open_harness
    from ..harness.session_lock import session_lock

    with (
        session_lock(workspace, session),
        open_harness(workspace, session, expert=expert, off=off or (), ask=_ask, show_text=_show) as talk,
    ):
        out.print(
            f"session {session} in {talk.workspace}, {len(talk.messages)} messages so far", markup=False
        )
        while (line := _line()) is not None:
            try:
                for said in _answered(talk, line):
                    out.print(said, markup=False)
            except ForgeError as error:
                out.print(f"✗ {error}", markup=False)
    for kept in talk.distilled.kept:
        if not kept.reused:
            out.print(f"remembered: {kept.fact.content}", markup=False)


def _answered(talk: Harness, line: str) -> list[str]:
    from ..harness.commands import run_command, run_due

    now = datetime.now(UTC)
    run_due(talk, now, lambda due: out.print(f"▲ scheduled: {due.schedule.prompt}", markup=False))
    if line.startswith("/"):
        return run_command(talk, line, now=now)
    talk.send(line)
    out.print()
    return [f"◐ {figure!r}" for figure in talk.figures]


def _line() -> str | None:
    try:
        line = input("> " if sys.stdin.isatty() else "").strip()
    except EOFError:
        return None
    return None if line in ("", "/quit") else line


def _show(text: str) -> None:
    out.print(text, markup=False, end="")


def _ask(asked: Asked) -> Answer:
    from ..harness.permissions import Answer

    out.print(f"\n▲ {asked.tool} wants: {asked.subject}", markup=False)
    try:
        said = input("allow? [y]es once, [a]lways this in this session, or no: ").strip().lower()
    except EOFError:
        said = ""
    # "Always" is for this very subject: a wider pattern is nothing to give by one letter.
    return Answer(allowed=said in ("y", "a"), pattern=asked.subject if said == "a" else None)
