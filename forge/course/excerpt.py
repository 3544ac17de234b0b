"""One function in a Python text: read it, with the imports it needs, or put another in its place."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Sequence

from ..errors import ContractInvalid

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def find(text: str, name: str, where: str) -> FunctionNode:
    """The function of that name, `start_run` or `MemoryStore.query`. `where` names the text in errors."""
    try:
        body: Sequence[ast.stmt] = ast.parse(text).body
    except SyntaxError as error:
        raise ContractInvalid(
            f"{where} is not Python", f"line {error.lineno}: {error.msg}.", "Mend the line."
        ) from None
    *owners, last = name.split(".")
    for owner in owners:
        body = next((node.body for node in body if isinstance(node, ast.ClassDef) and node.name == owner), [])
    for node in body:
        if isinstance(node, FunctionNode) and node.name == last:
            return node
    raise ContractInvalid(f"{where} defines no {name}", "It must, under that very name.", path=where)


def function(text: str, name: str, where: str) -> str:
    """The text of the function, without its decorators and without the indentation of its class."""
    node = find(text, name, where)
    return textwrap.dedent("".join(text.splitlines(keepends=True)[node.lineno - 1 : node.end_lineno]))


def imports(text: str, used_by: str) -> list[str]:
    """The top-level imports of the text that `used_by` needs, one a line, without those from __future__."""
    used = {node.id for node in ast.walk(ast.parse(used_by)) if isinstance(node, ast.Name)}
    found = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                continue
            node.names = [alias for alias in node.names if bound(alias) in used]
            if node.names:
                found.append(ast.unparse(node))
    return found


def replace(text: str, name: str, new: str, imports: Iterable[str], where: str) -> str:
    """The text with the function replaced by `new` and with those `imports` it does not have yet.

    Decorators stay. A name that the text already binds at its top is taken to be the same thing, so a
    function moved into a module does not import that module.
    """
    node = find(text, name, where)
    lines = text.splitlines(keepends=True)
    body = textwrap.indent(textwrap.dedent(new).rstrip() + "\n", " " * node.col_offset)
    lines[node.lineno - 1 : node.end_lineno] = [body]
    added = [line + "\n" for line in missing(text, imports)]
    last = max((top.end_lineno or 0 for top in ast.parse(text).body if _is_import(top)), default=0)
    return "".join([*lines[:last], *added, *lines[last:]])


def bound(alias: ast.alias) -> str:
    """The name that an import binds."""
    return alias.asname or alias.name.partition(".")[0]


def missing(text: str, imports: Iterable[str]) -> list[str]:
    """Those of the import lines that bind a name which the text does not bind at its top."""
    here = _top_names(ast.parse(text))
    found = []
    for line in imports:
        node = ast.parse(line).body[0]
        if isinstance(node, ast.Import | ast.ImportFrom):
            node.names = [alias for alias in node.names if bound(alias) not in here]
            if node.names:
                found.append(ast.unparse(node))
    return found


def _top_names(module: ast.Module) -> set[str]:
    names = set()
    for node in module.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            names |= {bound(alias) for alias in node.names}
        elif isinstance(node, ast.ClassDef | FunctionNode):
            names.add(node.name)
        else:
            names |= {
                part.id
                for part in ast.walk(node)
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            }
    return names


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)
