"""The scripts and style sheets, which are sent to a browser as one text of each: there is no bundler.

`family` is what the timeline shares with the figures: one look, one ruler, the same keys.
"""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
SCRIPTS = (
    "family",
    "pages",
    "words",
    "layout",
    "find",
    "dates",
    "store",
    "panels",
    "parts",
    "ruler",
    "list",
    "player",
    "search",
    "canvas",
    "timeline",
)
"""The timeline's modules, without their ending, in the order in which they are joined."""


def with_family(path: Path) -> str:
    """A figure's script or style sheet behind the family's."""
    return _read(f"family{path.suffix}") + path.read_text(encoding="utf-8")


def timeline_script() -> str:
    """The timeline's script: the one that JupyterLab runs, and that an exported page holds."""
    return "\n".join(_read(f"{name}.js") for name in SCRIPTS)


def page_script() -> str:
    """The same script, and what draws it on an exported page."""
    return timeline_script() + _read("page.js")


def timeline_style() -> str:
    """The timeline's style sheet."""
    return _read("family.css") + _read("timeline.css")


def _read(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")
