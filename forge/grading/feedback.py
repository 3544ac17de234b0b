"""The page that a learner gets back: self-contained HTML, their code beside what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from ..course.contract import load_stage
from .results import CaseResult, ItemResult, Result

_GLYPHS = {"pass": ("holds", "✓"), "fail": ("broken", "✗"), "not attempted": ("notyet", "○")}
_OTHER = ("changed", "◐")

_STYLE = """
:root { color-scheme: light dark; --ink: #1f2328; --quiet: #656d76; --line: #d0d7de; --ground: #fff;
  --holds: #0072b2; --broken: #d55e00; --changed: #9a6700; --notyet: #656d76; --code: #f6f8fa; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --quiet: #9198a1; --line: #3d444d;
  --ground: #0d1117; --holds: #58a6ff; --broken: #ff8c42; --changed: #d29922; --notyet: #9198a1;
  --code: #161b22; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground); margin: 0 auto;
  max-width: 1100px; padding: 16px; }
h1 { font-size: 1.5em; margin: 0 0 4px; } h2 { font-size: 1.25em; margin: 32px 0 4px; }
h3 { font-size: 1em; margin: 0; display: flex; gap: 8px; align-items: baseline; }
h3 .points { margin-left: auto; font-variant-numeric: tabular-nums; white-space: nowrap; }
p, ul { margin: 4px 0; } .quiet { color: var(--quiet); }
section { border-left: 3px solid var(--line); padding-left: 12px; margin: 16px 0; }
section.holds { border-color: var(--holds); } section.broken { border-color: var(--broken); }
section.changed { border-color: var(--changed); }
.glyph.holds { color: var(--holds); } .glyph.broken { color: var(--broken); }
.glyph.changed { color: var(--changed); } .glyph.notyet { color: var(--notyet); }
ul.cases { list-style: none; padding: 0; } ul.cases li { display: flex; gap: 8px; }
.pair > * { min-width: 0; }
pre { background: var(--code); padding: 8px; overflow-x: auto; margin: 4px 0;
  font: 13px/1.5 ui-monospace, monospace; }
blockquote { margin: 4px 0; padding-left: 12px; border-left: 1px solid var(--line); white-space: pre-wrap;
  overflow-wrap: anywhere; }
@media (min-width: 800px) { .pair { display: grid; grid-template-columns: 2fr 3fr; gap: 16px; } }
"""


def page(learner: str, results: Sequence[Result], refused: Sequence[tuple[str, str]]) -> str:
    """The page of one learner: every result, and the files that were not judged."""
    points, out_of = sum(one.points for one in results), sum(one.out_of for one in results)
    body = [f"<h1>{_text(learner)}</h1>", f"<p>{points:g} of {out_of:g} points</p>"]
    for result in results:
        body += _result(result)
    if refused:
        body.append("<h2>Files that were not judged</h2><ul>")
        body += [f"<li><b>{_text(name)}</b>: {_text(reason)}</li>" for name, reason in refused]
        body.append("</ul>")
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    head += f"<title>{_text(learner)}: feedback</title><style>{_STYLE}</style>"
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{"".join(body)}</body></html>\n'


def _result(result: Result) -> Iterator[str]:
    yield f"<h2>{_text(result.title)}</h2>"
    yield f'<p class="quiet">{result.points:g} of {result.out_of:g} points · {_text(result.notebook)}</p>'
    if result.reason:
        yield f'<section class="changed"><p>{_text(result.reason)}</p></section>'
    if result.mends:
        mends = "".join(f"<li>{_text(mend)}</li>" for mend in result.mends)
        yield f'<p class="quiet">Mended in your notebook:</p><ul class="quiet">{mends}</ul>'
    for item in result.items:
        yield from _item(item)
    yield from _words(result)


def _item(item: ItemResult) -> Iterator[str]:
    mark, glyph = _GLYPHS.get(item.verdict, _OTHER)
    yield f'<section class="{mark}"><h3><span class="glyph {mark}">{glyph}</span>'
    points = f"{item.points:g} / {item.out_of:g}"
    yield f'<span>{_text(item.title)}</span><span class="points">{points}</span></h3>'
    said = f"{item.kind}, {item.verdict}" + (f": {item.reason}" if item.reason else "")
    yield f'<div class="pair"><div><p class="quiet">{_text(said)}</p>'
    if item.verdict != "pass" and item.verdict != "not attempted":
        yield f'<ul class="cases">{"".join(map(_case, item.cases))}</ul>'
        yield f"<p>Hint: {_text(item.hint)}</p>" if item.hint else ""
    yield "</div><div>"
    yield f"<pre>{_text(item.answer)}</pre>" if item.answer else ""
    yield "</div></div></section>"


def _case(case: CaseResult) -> str:
    mark, glyph = ("holds", "✓") if case.right else ("broken", "✗")
    pair = f"expected: {_text(case.expected)} · seen: {_text(case.seen)}"
    found = "" if case.right else f'<br><span class="quiet">{pair}</span>'
    return f'<li><span class="glyph {mark}">{glyph}</span><span>{_text(case.says)}{found}</span></li>'


def _words(result: Result) -> Iterator[str]:
    stage = load_stage(result.stage)
    if result.prediction:
        option = stage.prediction.options.get(result.prediction)
        right = result.prediction == stage.prediction.answer
        mark, glyph = ("holds", "✓") if right else ("broken", "✗")
        yield f'<section><h3><span class="glyph {mark}">{glyph}</span>Prediction</h3>'
        yield f"<p>{_text(stage.prediction.question)}</p>"
        yield f"<blockquote>{_text(option.text if option else result.prediction)}</blockquote></section>"
    yield '<section><h3><span>Explanation</span><span class="points">points: ______</span></h3>'
    yield f"<p>{_text(stage.explain.question)}</p>"
    yield f"<blockquote>{_text(result.explanation or '(nothing was written)')}</blockquote>"
    yield '<p class="quiet">A strong answer contains; ✓ is what you marked as covered:</p><ul class="cases">'
    for number, point in enumerate(stage.explain.rubric, start=1):
        yield f"<li><span>{'✓' if number in result.covered else '○'}</span><span>{_text(point)}</span></li>"
    yield "</ul></section>"


def _text(text: str) -> str:
    return escape(text.encode("utf-8", "replace").decode())
