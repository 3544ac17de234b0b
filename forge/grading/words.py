"""What a learner wrote for people: the prediction and the explanation."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from .answers import parsed
from .sheet import Cell

MAX_WORDS = 10_000
"""How much of an explanation is kept, in characters."""


@dataclass(frozen=True)
class Words:
    """The option that was chosen, the explanation, and the points of the rubric marked as covered."""

    prediction: str = ""
    explanation: str = ""
    covered: tuple[int, ...] = ()


def words_in(cells: Iterable[Cell]) -> Words:
    """The learner's prediction and explanation, read from the text of the cells and not by running them."""
    texts: dict[str, str] = {}
    prediction = explanation = ""
    covered: tuple[int, ...] = ()
    for cell in cells:
        tree = parsed(cell.text) if cell.kind == "code" else None
        for node in tree.body if tree else ():
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text))):
                    texts[name] = text
                case ast.Expr(value=ast.Call(func=ast.Attribute(attr="predict")) as call):
                    prediction = prediction or _text(_argument(call, 0, "choice_made"), texts)
                case ast.Expr(value=ast.Call(func=ast.Attribute(attr="explain")) as call):
                    explanation = _text(_argument(call, 0, "text"), texts) or explanation
                    covered = _numbers(_argument(call, 1, "covered")) or covered
    return Words(prediction[:40], explanation.strip()[:MAX_WORDS], covered)


def _argument(call: ast.Call, place: int, name: str) -> ast.expr | None:
    if place < len(call.args):
        return call.args[place]
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def _text(node: ast.expr | None, texts: dict[str, str]) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id=name):
            return texts.get(name, "")
    return ""


def _numbers(node: ast.expr | None) -> tuple[int, ...]:
    if not isinstance(node, ast.Tuple | ast.List):
        return ()
    values = [part.value for part in node.elts if isinstance(part, ast.Constant)]
    return tuple(value for value in values if type(value) is int)
