"""What the pages of a batch share: one look, one frame, and text that stays text."""

from __future__ import annotations

import re
from html import escape

from .results import Verdict

GLYPHS: dict[Verdict, tuple[str, str]] = {
    "pass": ("holds", "✓"),
    "fail": ("broken", "✗"),
    "not attempted": ("notyet", "○"),
    "blocked": ("changed", "◐"),
    "could not judge": ("changed", "◐"),
}
"""By verdict: the name of its colour, and its glyph."""

_STYLE = """
:root { color-scheme: light dark; --ink: #1f2328; --quiet: #656d76; --line: #d8dee4; --ground: #fff;
  --holds: #0b7a75; --broken: #c4320a; --changed: #9a6700; --notyet: #6e7781; --soft: #f6f8fa;
  --mono: ui-monospace, "JetBrains Mono", "DejaVu Sans Mono", monospace; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --quiet: #9aa4ae; --line: #333a42;
  --ground: #111; --holds: #4fd1c5; --broken: #ff8a5c; --changed: #e3b341; --notyet: #8b96a1;
  --soft: #1b1f24; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; color: var(--ink); background: var(--ground);
  margin: 0 auto; max-width: 1100px; padding: 16px; overflow-wrap: anywhere; }
h1 { font-size: 1.5em; margin: 0 0 4px; line-height: 1.25; } h2 { font-size: 1.25em; margin: 32px 0 4px; }
h3 { font-size: 1em; margin: 0; display: flex; gap: 8px; align-items: baseline; }
h3 .points { margin-left: auto; font-variant-numeric: tabular-nums; white-space: nowrap; }
p, ul { margin: 4px 0; } .quiet { color: var(--quiet); }
section { border-left: 3px solid var(--line); padding-left: 12px; margin: 16px 0; }
section.holds { border-color: var(--holds); } section.broken { border-color: var(--broken); }
section.changed { border-color: var(--changed); }
.glyph { flex: none; width: 1.1em; text-align: center; }
.glyph.holds { color: var(--holds); } .glyph.broken { color: var(--broken); }
.glyph.changed { color: var(--changed); } .glyph.notyet { color: var(--notyet); }
ul.cases { list-style: none; padding: 0; } ul.cases li { display: flex; gap: 8px; }
ul.cases li > :last-child { min-width: 0; }
.pair > * { min-width: 0; }
pre { background: var(--soft); padding: 8px; overflow-x: auto; margin: 4px 0; font: 13px/1.5 var(--mono); }
pre.wrapped { white-space: pre-wrap; }
code { font: 0.9em var(--mono); } summary { color: var(--quiet); cursor: pointer; }
blockquote { margin: 4px 0; padding-left: 12px; border-left: 1px solid var(--line); white-space: pre-wrap; }
table { border-collapse: collapse; width: 100%; margin: 8px 0; }
th, td { text-align: left; padding: 4px 8px 4px 0; border-bottom: 1px solid var(--line);
  vertical-align: baseline; }
th { font-weight: 400; color: var(--quiet); }
.number { text-align: right; white-space: nowrap; font-family: var(--mono); font-size: 13px; }
th.number { font: inherit; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 16px; margin: 4px 0; }
dt { color: var(--quiet); } dd { margin: 0; }
svg { display: block; width: 100%; max-width: 440px; height: auto; margin: 4px 0; }
svg text { fill: var(--quiet); font: 15px var(--mono); text-anchor: middle; }
svg .holds { fill: var(--holds); } svg .broken { fill: var(--broken); }
svg .changed { fill: var(--changed); } svg .notyet { fill: var(--notyet); } svg .line { stroke: var(--line); }
@media (min-width: 800px) { .pair { display: grid; grid-template-columns: 2fr 3fr; gap: 16px; }
  .words .pair { grid-template-columns: 1fr 1fr; } }
"""


def document(title: str, body: str) -> str:
    """A page that needs no other file, with this body, which is HTML already."""
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    head += f"<title>{text(title)}</title><style>{_STYLE}</style>"
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def glyph(mark: str, sign: str) -> str:
    """A glyph in its colour."""
    return f'<span class="glyph {mark}">{sign}</span>'


def text(words: str) -> str:
    """Any text as HTML that shows it."""
    return escape(words.encode("utf-8", "replace").decode())


def prose(words: str) -> str:
    """A sentence of the course as HTML: what stands between backticks is code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text(words))
