"""Find answers in the text of a cell, and mend what keeps them from being found."""

from __future__ import annotations

import ast
import functools
import re
import warnings
from dataclasses import dataclass

KINDS = frozenset({"exercise", "repair", "transfer"})
"""The decorators of a stage that take an answer."""

_DECORATOR = re.compile(
    r"^@\s*\w+\.(exercise|repair|transfer)\(\s*(?:\w+\s*=\s*)?(['\"])(\w+)\2\s*,?\s*\)", re.M
)
_KEPT = 4_000  # characters; the tree of a longer text takes too much memory to be kept


@dataclass(frozen=True)
class Answer:
    """An answer that a cell gives: its kind and id, and the function, if the cell can be read that far."""

    kind: str
    id: str
    function: str = ""


def parsed(text: str) -> ast.Module | None:
    """The cell as a syntax tree, its magics left out, or None. Nobody changes the tree: it is shared."""
    return _parsed(text) if len(text) <= _KEPT else _parsed.__wrapped__(text)


@functools.lru_cache(maxsize=500)
def _parsed(text: str) -> ast.Module | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for change in (str, _without_magics):
            try:
                return ast.parse(change(text))
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
    return None


def _without_magics(text: str) -> str:
    """The text with `pass` for the lines that only IPython reads. Some texts hold a pattern for hours."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        bare = line.strip()
        if bare.startswith(("%", "!", "?")) or bare.endswith("?"):
            lines[number] = line[: len(line) - len(line.lstrip())] + "pass"
    return "\n".join(lines)


@functools.lru_cache(maxsize=2_000)
def answers_in(text: str) -> tuple[Answer, ...]:
    """The answers that a cell gives, in order; from the words of its decorators where it is not Python."""
    tree = parsed(text)
    if tree is None:
        return tuple(Answer(match[1], match[3]) for match in _DECORATOR.finditer(text))
    found = (_answer(node) for node in tree.body)
    return tuple(answer for answer in found if answer is not None)


def function_named(text: str, name: str) -> ast.FunctionDef | None:
    """The last function of that name at the top of the cell."""
    tree = parsed(text)
    nodes = [node for node in tree.body if isinstance(node, ast.FunctionDef)] if tree else []
    return next((node for node in reversed(nodes) if node.name == name), None)


def decorated(text: str, answer: Answer) -> str:
    """The cell with the answer's own decorator above its function, and no other decorator of a stage."""
    node = function_named(text, answer.function)
    assert node is not None
    lines = text.splitlines()
    for old in reversed(node.decorator_list):
        if _called(old) in KINDS:
            del lines[old.lineno - 1 : old.end_lineno]
    first = min([node.lineno, *(old.lineno for old in node.decorator_list)])
    lines.insert(first - 1, f'@stage.{answer.kind}("{answer.id}")')
    return "\n".join(lines)


def same_function(text: str, other: str, name: str) -> bool:
    """Whether two cells hold the same function of that name, but for its decorators, spaces and comments."""
    nodes = [function_named(one, name) for one in (text, other)]
    if nodes[0] is None or nodes[1] is None:
        return text.split() == other.split()
    try:
        return _bare(nodes[0]) == _bare(nodes[1])
    except RecursionError:
        return False


def attempted(text: str, stub: str, name: str) -> bool:
    """Whether a cell answers more than the shipped one does, or than a function that has no body yet."""
    node = function_named(text, name)
    body = [part for part in node.body if not isinstance(part, ast.Expr | ast.Pass)] if node else []
    empty = node is not None and all(isinstance(part, ast.Raise) for part in body)
    return not (same_function(text, stub, name) or (empty and "NotImplementedError" in text))


def _bare(node: ast.FunctionDef) -> str:
    return ast.dump(ast.Module([node.args, *node.body], []))  # type: ignore[list-item]


def _called(node: ast.expr) -> str:
    """The method that a decorator calls: `exercise` of `@stage.exercise("…")`."""
    match node:
        case ast.Call(func=ast.Attribute(attr=kind)):
            return kind
    return ""


def _answer(node: ast.stmt) -> Answer | None:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    for decorator in node.decorator_list:
        if (kind := _called(decorator)) in KINDS and isinstance(decorator, ast.Call):
            for value in [*decorator.args, *(keyword.value for keyword in decorator.keywords)]:
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    return Answer(kind, value.value, node.name)
    return None
