"""Write a value for a reader: in one short line, the same on every run and every Python."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from typing import Any

from pydantic import BaseModel

_LONG = 200
_MANY = 12

_shown = reprlib.Repr()
_shown.maxstring = _shown.maxother = _LONG
_shown.maxdict = _shown.maxlist = _shown.maxtuple = _shown.maxset = _shown.maxfrozenset = _MANY


@dataclass(frozen=True)
class Comparison:
    """The two sides of a comparison that did not hold: by convention, `assert found == expected`."""

    expected: str
    found: str


def compare(operator: str, left: object, right: object) -> Comparison:
    """What was expected and what was found; of two records of one kind, only the fields that differ."""
    if operator == "==":
        return _differing(left, right) or Comparison(show(right), show(left))
    if operator in {"in", "not in"}:
        return Comparison(f"{show(left)} {operator} it", show(right))
    return Comparison(show(right) if operator == "is" else f"{operator} {show(right)}", show(left))


def show(value: object) -> str:
    """The value as Python writes it, but text that reads as a sentence without its quotes."""
    if isinstance(value, str) and " " in value.strip() and value == value.strip() and "\n" not in value:
        return shorten(value)
    return shorten(_shown.repr(value))


def shorten(text: str, length: int = _LONG) -> str:
    """The text in one line, without memory addresses, cut to `length` characters."""
    text = re.sub(r"\b0x[0-9a-fA-F]{6,}\b", "0x…", " ".join(text.split()))
    return text if len(text) <= length else text[: length - 1] + "…"


def _differing(left: object, right: object) -> Comparison | None:
    found, expected = _fields(left), _fields(right)
    if found is None or expected is None or type(left) is not type(right):
        return None
    every = {**expected, **found}
    names = [
        name for name in every if name not in found or name not in expected or found[name] != expected[name]
    ]
    if not names or len(names) == len(every):
        return None
    return Comparison(_some(expected, names), _some(found, names))


def _fields(value: object) -> Mapping[Any, Any] | None:
    if isinstance(value, BaseModel):
        return dict(value)
    if is_dataclass(value) and not isinstance(value, type):
        return vars(value) if hasattr(value, "__dict__") else None
    return value if isinstance(value, Mapping) else None


def _some(fields: Mapping[Any, Any], names: list[Any]) -> str:
    return shorten(
        ", ".join(f"{name}: {show(fields[name])}" if name in fields else f"no {name}" for name in names)
    )
