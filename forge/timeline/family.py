"""What the timeline shares with the figures: one look, one ruler, the same keys."""

from __future__ import annotations

from pathlib import Path


def with_family(path: Path) -> str:
    """A widget's script or style sheet behind the family's: a widget is sent as one text of each."""
    family = Path(__file__).with_name(f"family{path.suffix}")
    return family.read_text(encoding="utf-8") + path.read_text(encoding="utf-8")
