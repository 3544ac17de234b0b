"""Make both editions of the notebooks from their sources, or say which notebooks are stale."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import nbformat

from .. import resources
from ..course.contract import StageContract, in_full, load_stage, stems
from ..course.notebooks import notebook_of
from ..errors import BuildFailed, ContractInvalid
from ..storage import atomic_replace
from . import leaks
from .cells import Source, place, read_source
from .editions import EDITIONS, Edition, convert, path_of
from .execute import execute


def build(
    names: Iterable[str] | None = None,
    *,
    check: bool = False,
    solved: bool = False,
    tell: Callable[[str], None] | None = None,
) -> list[str]:
    """Write notebooks/ and build/solved/ from solutions/; one line for each notebook says what was done.

    `names` are stems, all when None; an unknown one raises `NotInCourse`. `tell` hears each line as soon as
    it is true. With `solved` only build/solved/ is written. With `check` nothing is written or run, and stale
    notebooks raise one `BuildFailed` that names them all.
    """
    chosen = _chosen(names)
    if check:
        _refuse_stale(chosen)
    editions: tuple[Edition, ...] = ("solved",) if solved else EDITIONS
    lines: list[str] = []
    for stem in chosen:
        fresh = [f"✓ {place(resources.notebook(stem))} comes from its source"]
        for line in fresh if check else _write(stem, editions):
            lines.append(line)
            if tell:
                tell(line)
    return lines


def sources() -> tuple[str, ...]:
    """Every notebook that has a source, in order; those without a stage contract too."""
    return tuple(sorted(path.stem for path in (resources.root() / "solutions").glob("*.py")))


def contract_of(stem: str) -> StageContract | None:
    """The contract of a notebook that is a stage."""
    return load_stage(stem) if stem in stems() else None


def make(source: Source, edition: Edition) -> nbformat.NotebookNode:
    """An edition, executed. In the learner's, a solution that stands too early raises `BuildFailed`."""
    notebook = convert(source, edition)
    execute(notebook, source)
    if edition == "learner":
        for cell, line in leaks.leaks(source, notebook, contract_of(source.stem)):
            raise cell.refused(
                f"the learner edition shows a line of this solution too early: {line}",
                "Move the answer up, or what shows the line down.",
            )
    return notebook


def stale(source: Source) -> str:
    """Why the committed notebook does not come from its source, or nothing if it does."""
    path = resources.notebook(source.stem)
    if not path.is_file():
        return "it was never built"
    try:
        found = notebook_of(path)
    except ContractInvalid as error:
        return f"{error.words.removeprefix(path.name).strip()}: {error.facts.rstrip('.')}"
    fresh = convert(source, "learner")
    if found.metadata.get("forge") != fresh.metadata.forge:
        return "it was built from another source"
    if found.metadata != fresh.metadata or found.nbformat_minor != fresh.nbformat_minor:
        return "its metadata was edited"
    if len(found.cells) != len(fresh.cells):
        return f"it has {len(found.cells)} cells, expected {len(fresh.cells)}"
    for ours, theirs in zip(fresh.cells, found.cells, strict=True):
        for field in ("id", "cell_type", "metadata", "source"):
            if ours[field] != theirs.get(field):
                return f"the {field} of cell {ours.id} was edited"
    return ""


def _chosen(names: Iterable[str] | None) -> tuple[str, ...]:
    known = sources()
    if not known:
        folder = resources.root() / "solutions"
        hint = "Run this in a checkout of the course, or name one in FORGE_COURSE."
        raise BuildFailed("no source of a notebook was found", f"{folder} holds none.", hint)
    return tuple(in_full(name, known, "source of a notebook") for name in names) if names else known


def _refuse_stale(chosen: Iterable[str]) -> None:
    found = {
        place(resources.notebook(stem)): reason
        for stem in chosen
        if (reason := stale(read_source(resources.source(stem))))
    }
    if found:
        facts = "; ".join(f"{name}: {reason}" for name, reason in found.items())
        raise BuildFailed(
            "a notebook does not come from its source", f"{facts}.", "Run forge build.", stale=found
        )


def _write(stem: str, editions: Iterable[Edition]) -> Iterator[str]:
    source = read_source(resources.source(stem))
    made = {path_of(stem, edition): make(source, edition) for edition in editions}
    for path, notebook in made.items():
        data = (nbformat.writes(notebook) + "\n").encode()
        changed = not path.is_file() or path.read_bytes() != data
        if changed:
            path.parent.mkdir(parents=True, exist_ok=True)
            atomic_replace(path, data)
        yield f"{'◐' if changed else '✓'} {place(path)} {'was written' if changed else 'is as it was'}"
