"""Read a notebook's file. Kept apart, because a kernel need not import what it takes."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat

from .reading import invalid, text_of


def notebook_of(path: Path) -> nbformat.NotebookNode:
    """The notebook of a file. One that is none raises `ContractInvalid`."""
    try:
        json.loads(text := text_of(path))
        found: nbformat.NotebookNode = nbformat.reads(text, as_version=nbformat.NO_CONVERT)
        if not isinstance(found.cells, list) or not isinstance(found.metadata, dict):
            raise TypeError
    except json.JSONDecodeError as error:
        facts = f"line {error.lineno}: {error.msg}."
        raise invalid(path, "is not a notebook", facts, "Run forge build.") from None
    except (nbformat.ValidationError, AttributeError, KeyError, TypeError, ValueError):
        facts = "its JSON has another form."
        raise invalid(path, "is not a notebook", facts, "Run forge build.") from None
    return found
