"""Which modules of forge a text needs: those it imports, those they import, and so on."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def modules_of(text: str, modules: Iterable[str]) -> dict[str, str]:
    """The source of every module of forge that `text` or one of `modules` needs, by its path in a tree.

    `modules` are dotted names. A module brings the packages it lies in; imports inside functions count.
    """
    wanted = [*modules, *_imported(text, "", is_package=False)]
    found: dict[str, str] = {}
    while wanted:
        name = wanted.pop()
        path = _file(name)
        if path is None or (place := path.relative_to(_PACKAGE.parent).as_posix()) in found:
            continue
        found[place] = path.read_text(encoding="utf-8")
        wanted += _imported(found[place], name, is_package=path.name == "__init__.py")
        if "." in name:
            wanted.append(name.rpartition(".")[0])
    return dict(sorted(found.items()))


def _imported(text: str, module: str, *, is_package: bool) -> Iterator[str]:
    """Every dotted name that an import in the text may mean; some of them name a function, no module."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = module.split(".")[: -node.level + is_package or None] if node.level else []
            package = ".".join([*base, *filter(None, [node.module])])
            yield package
            yield from (f"{package}.{alias.name}" for alias in node.names)


def _file(module: str) -> Path | None:
    first, *steps = module.split(".")
    if first != _PACKAGE.name:
        return None
    path = _PACKAGE.joinpath(*steps)
    for candidate in (path / "__init__.py", path.with_suffix(".py")):
        if candidate.is_file():
            return candidate
    return None
