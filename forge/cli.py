"""The forge command."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from .errors import ForgeError

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Forge: a course workbook on how a long-running agent keeps its state.",
)
out = Console(highlight=False, soft_wrap=True)

WorkspaceOption = Annotated[
    Path, typer.Option("--workspace", help="Where your notebooks and progress are kept.")
]


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def lab(
    context: typer.Context,
    workspace: WorkspaceOption = Path("my_forge"),
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")] = True,
) -> None:
    """Open the course in JupyterLab, on a working copy of your own. Further options go to JupyterLab."""
    from .course.lab import launch, open_workspace

    folder = workspace.expanduser().resolve()
    for line in open_workspace(folder):
        out.print(line, markup=False)
    out.print(f"Your work is kept in {folder}", markup=False)
    raise typer.Exit(launch(folder, [*([] if browser else ["--no-browser"]), *context.args]))


@app.command()
def reset(
    stage: Annotated[str, typer.Argument(help="A stage, such as 01 or 01_state_and_events.")],
    workspace: WorkspaceOption = Path("my_forge"),
) -> None:
    """Bring back the pristine notebook of a stage; yours is kept beside it."""
    from .course.lab import reset as bring_back

    kept = bring_back(stage, workspace.expanduser().resolve())
    said = f"Yours is kept as {kept.name}." if kept else "You had not changed it."
    out.print(f"The notebook is pristine again. {said}", markup=False)
    out.print("If it is open in JupyterLab: File, Reload Notebook from Disk.", markup=False)


@app.command()
def unpack(
    stage: Annotated[str, typer.Argument(help="A stage, such as 01 or 01_state_and_events.")],
    to: Annotated[Path, typer.Option("--to", help="A new or empty folder.")],
    workspace: WorkspaceOption = Path("my_forge"),
) -> None:
    """Lay out the stage's lab as files: start, solution and faulty trees, and their tests."""
    from .course.contract import in_full, stems
    from .course.progress import note_unpacked
    from .course.unpack import unpack as lay_out

    stem = in_full(stage, stems(), "stage")
    for line in lay_out(stem, to.expanduser().resolve()):
        out.print(line, markup=False)
    note_unpacked(stem, workspace.expanduser().resolve())


StagesArgument = Annotated[
    list[str] | None, typer.Argument(help="Stages, such as 01; all when none is named.")
]


@app.command()
def build(
    stages: StagesArgument = None,
    check: Annotated[
        bool, typer.Option("--check", help="Fail when a notebook is stale; write nothing.")
    ] = False,
    solved: Annotated[bool, typer.Option("--solved", help="Make only the solved edition.")] = False,
) -> None:
    """Make both editions of the notebooks from solutions/."""
    from .authoring import build as make

    make(stages, check=check, solved=solved, tell=lambda line: out.print(line, markup=False))


@app.command()
def prove(stages: StagesArgument = None) -> None:
    """Show that the course holds what it promises."""
    from .authoring import prove as show
    from .authoring.ground import UNPROVED

    proof = show(stages)
    if proof.findings:
        broken = [finding for finding in proof.findings if finding.what not in UNPROVED]
        for finding in proof.findings:
            if finding not in broken:
                out.print(f"✗ {finding.stage}: {finding.found}", markup=False)
        table = Table("stage", "what", "where", "expected", "found")
        for finding in broken:
            cells = (finding.stage, finding.what, finding.where, finding.expected, finding.found)
            table.add_row(*(Text(cell) for cell in cells))
        if broken:
            out.print(table)
        raise typer.Exit(1)
    for stage, what, count in proof.rows():
        out.print(f"✓ {stage}  {count:>4}  {what}", markup=False)
    if not proof.ok:
        raise typer.Exit(1)


@app.command()
def grade(
    submissions: Annotated[Path, typer.Argument(help="<learner>/… or <learner>__<stem>.ipynb, in a folder.")],
    to: Annotated[Path, typer.Option("--out", help="Where gradebook, results and feedback are written.")],
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="How many are graded side by side.")] = 1,
    sandbox: Annotated[
        bool, typer.Option("--sandbox/--no-sandbox", help="Without: any answer can do what you can.")
    ] = True,
) -> None:
    """Grade a folder of notebooks. Exit code 0: all were judged; 2: some could not be."""
    from rich.progress import Progress

    from .grading.batch import grade_folder

    with Progress(console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task("grading", total=None)

        def tell(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)
            bar.refresh()

        graded = grade_folder(submissions, to, jobs=jobs, sandboxed=sandbox, tell=tell)
    judged = sum(result.judged for result in graded.results)
    out.print(f"{judged} of {len(graded.results)} submissions judged: {to / 'gradebook.csv'}", markup=False)
    if not sandbox:
        out.print("Without a sandbox: the gradebook says so.", markup=False)
    for one in graded.files:
        if one.reason:
            out.print(f"○ {one.path.relative_to(submissions)}: {one.reason}", markup=False)
    for result in graded.results:
        if not result.judged:
            words = result.reason or "some answers could not be judged"
            out.print(f"◐ {result.learner}, {result.stage}: {words}", markup=False)
    raise typer.Exit(0 if graded.complete else 2)


JournalArgument = Annotated[Path, typer.Argument(help="A journal file.", exists=True, dir_okay=False)]


@app.command()
def replay(
    journal: JournalArgument,
    as_of: Annotated[int | None, typer.Option("--as-of", help="How many events; all by default.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As one line of JSON.")] = False,
) -> None:
    """Show the state that a journal's first events lead to."""
    from .replay import commands

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

    from .timeline.journal import write_journal_page

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

    from .replay import commands

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
    from .replay import commands

    for line in commands.repair(journal, after):
        typer.echo(line)


@journal_app.command("convert")
def journal_convert(
    journal: JournalArgument,
    to: Annotated[Path | None, typer.Option("--to", help="A new file; else in place.")] = None,
) -> None:
    """Rewrite a journal whose lines are right but not canonical; the old bytes are kept."""
    from .replay import commands

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
    from .versions import commands

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
    from .versions import commands

    for line in commands.replay(file, as_of, on, as_json=as_json):
        typer.echo(line)


@versions_app.command("verify")
def versions_verify(
    file: Annotated[Path, typer.Argument(help="A version memory.", exists=True, dir_okay=False)],
) -> None:
    """Verify every row, compare the snapshot, and print the anchor to keep elsewhere."""
    from .versions import commands

    for line in commands.verify(file):
        typer.echo(line)


def main() -> None:
    """Run the command. A mistake of the user's is one sentence and exit code 1, never a traceback."""
    try:
        app()
    except (ForgeError, OSError) as error:
        Console(stderr=True, highlight=False, soft_wrap=True).print(f"✗ {error}", markup=False)
        sys.exit(1)
