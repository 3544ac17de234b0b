"""What looks into a file: journals and version memories."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from .app import app, out

JournalArgument = Annotated[Path, typer.Argument(help="A journal file.", exists=True, dir_okay=False)]


@app.command()
def replay(
    journal: JournalArgument,
    as_of: Annotated[int | None, typer.Option("--as-of", help="How many events; all by default.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As one line of JSON.")] = False,
) -> None:
    """Show the state that a journal's first events lead to."""
    from ..replay import commands

    for line in commands.replay(journal, as_of, as_json=as_json):
        typer.echo(line)


@app.command()
def timeline(
    journal: JournalArgument,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write the page here, and open no browser.", dir_okay=False)
    ] = None,
) -> None:
    """Browse a journal: one page with the state after any number of events, that works offline."""
    import tempfile
    import webbrowser

    from rich.progress import Progress

    from ..timeline.journal import write_journal_page

    to = html or Path(tempfile.mkdtemp(prefix="forge-timeline-")) / f"{journal.stem}.html"
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        shown = write_journal_page(
            journal,
            to,
            lambda what, done, total: bar.update(task, description=what, completed=done, total=total),
        )
    for line in shown.summary():
        out.print(line, markup=False)
    out.print(f"  written to {to}", markup=False)
    if html is None and not webbrowser.open(to.resolve().as_uri()):
        out.print("  no browser was found: open the file in one", markup=False)


journal_app = typer.Typer(no_args_is_help=True, help="Verify, repair or convert a journal.")
app.add_typer(journal_app, name="journal")


@journal_app.command("verify")
def journal_verify(
    journal: JournalArgument,
    anchor: Annotated[str | None, typer.Option(help="COUNT:HEAD, as an earlier run of this printed.")] = None,
) -> None:
    """Verify every line, and print the anchor to keep elsewhere."""
    from rich.progress import Progress

    from ..replay import commands

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("verifying", total=None)
        lines = commands.verify(
            journal, anchor, lambda done, total: bar.update(task, completed=done, total=total)
        )
    for line in lines:
        typer.echo(line)


@journal_app.command("repair")
def journal_repair(
    journal: JournalArgument,
    after: Annotated[str | None, typer.Option(help="COUNT:HEAD that the journal must still hold.")] = None,
) -> None:
    """Move a torn last line into a file beside the journal."""
    from ..replay import commands

    for line in commands.repair(journal, after):
        typer.echo(line)


@journal_app.command("convert")
def journal_convert(
    journal: JournalArgument,
    to: Annotated[Path | None, typer.Option("--to", help="A new file; else in place.")] = None,
) -> None:
    """Rewrite a journal whose lines are right but not canonical; the old bytes are kept."""
    from ..replay import commands

    for line in commands.convert_file(journal, to):
        typer.echo(line)


versions_app = typer.Typer(no_args_is_help=True, help="Ask, replay or verify a version memory.")
app.add_typer(versions_app, name="versions")

MemoryOption = Annotated[
    Path | None,
    typer.Option("--file", help="A version memory; the club's without one.", exists=True, dir_okay=False),
]
DayOption = Annotated[str | None, typer.Option("--on", help="A day, as YYYY-MM-DD.")]


@versions_app.command("ask")
def versions_ask(
    question: Annotated[str, typer.Argument(help='The name of a fact, such as "meeting time".')],
    as_of: Annotated[int, typer.Option("--as-of", help="How many events were known.")],
    on: Annotated[str, typer.Option("--on", help="The day, as YYYY-MM-DD.")],
    file: MemoryOption = None,
) -> None:
    """Answer from what was known after the first events and is in force on the day, with its source."""
    from ..versions import commands

    for line in commands.ask(file, question, as_of, on):
        typer.echo(line)


@versions_app.command("replay")
def versions_replay(
    file: MemoryOption = None,
    as_of: Annotated[int | None, typer.Option("--as-of", help="How many events; all by default.")] = None,
    on: DayOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="As one line of JSON.")] = False,
) -> None:
    """Show the state that the first events lead to, and with --on what of it is in force that day."""
    from ..versions import commands

    for line in commands.replay(file, as_of, on, as_json=as_json):
        typer.echo(line)


@versions_app.command("verify")
def versions_verify(
    file: Annotated[Path, typer.Argument(help="A version memory.", exists=True, dir_okay=False)],
) -> None:
    """Verify every row, compare the snapshot, and print the anchor to keep elsewhere."""
    from ..versions import commands

    for line in commands.verify(file):
        typer.echo(line)
