"""The real source of forge in a notebook, without the lines a learner still has to find."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .checking.substitute import resolve


@dataclass(frozen=True)
class Source:
    """A piece of Python with its place, shown in Lab's own code style."""

    place: str
    text: str

    def _repr_mimebundle_(self, **_options: object) -> dict[str, str]:
        return {
            "text/plain": f"# {self.place}\n{self.text}",
            "text/markdown": f"`{self.place}`\n\n```python\n{self.text}\n```",
        }

    def __repr__(self) -> str:
        return f"# {self.place}\n{self.text}"


def source_of(target: str, folded: Iterable[str] = ()) -> Source:
    """The source of `target`; each run of `folded` lines becomes one comment that counts them."""
    text = textwrap.dedent(inspect.getsource(resolve(target)))
    module, _, name = target.partition(":")
    return Source(f"{module.replace('.', '/')}.py · {name}", fold(text, folded))


def test_source(path: Path, name: str) -> Source:
    """One test of a file of contract tests."""
    text = path.read_text(encoding="utf-8")
    found = next(n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef) and n.name == name)
    return Source(f"{path.name} · {name}", ast.get_source_segment(text, found) or "")


test_source.__test__ = False  # type: ignore[attr-defined]


def fold(text: str, folded: Iterable[str]) -> str:
    """The text with each run of lines that stand in `folded` replaced by one comment.

    A statement over several lines goes as a whole: of `raise EventRefused(` to `)` only what is telling need
    be listed.
    """
    hidden = _hidden(text, {line.strip() for line in folded if line.strip()})
    kept: list[str] = []
    run: list[str] = []
    for number, line in enumerate([*text.rstrip().splitlines(), None], start=1):
        if line is not None and number in hidden:
            run.append(line)
            continue
        if run:
            indent = run[0][: len(run[0]) - len(run[0].lstrip())]
            count = f"{len(run)} lines" if len(run) > 1 else "1 line"
            kept.append(
                f"{indent}# … {count} folded away: you write {'them' if len(run) > 1 else 'it'} in this stage"
            )
            run = []
        if line is not None:
            kept.append(line)
    return "\n".join(kept)


def _hidden(text: str, listed: set[str]) -> set[int]:
    """The numbers, from 1, of the lines that are listed or belong to a statement with a listed line."""
    lines = text.splitlines()
    hidden = {number for number, line in enumerate(lines, start=1) if line.strip() in listed}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt) and not isinstance(node, ast.Match) and not hasattr(node, "body"):
            whole = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            hidden |= set(whole) if hidden.intersection(whole) else set()
    return hidden
