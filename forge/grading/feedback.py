"""The page that a learner gets back: self-contained HTML, their code beside what came of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ..course.contract import load_stage
from .pages import GLYPHS, document, glyph, prose, text
from .results import CaseResult, ItemResult, Result

Inputs = Mapping[tuple[str, str], Sequence[str]]
"""By stage and item: the input of each case, as JSON."""

_BREAK = re.compile(r"(?<!\n)\n(?![\n\s*•\d-])")
"""The end of a line inside a paragraph, where the next line is no point of a list."""

_SHOWN = 600
"""How many characters of an input, and of what an answer gave for it, are shown where that is wished."""


def page(
    learner: str, results: Sequence[Result], refused: Sequence[tuple[str, str]], inputs: Inputs | None = None
) -> str:
    """The page of one learner: every result, what was not judged, and the inputs where given."""
    points, out_of = sum(one.points for one in results), sum(one.out_of for one in results)
    body = [f"<h1>{text(learner)}</h1>", f"<p>{points:g} of {out_of:g} points</p>"]
    for result in results:
        body += _result(result, inputs or {})
    if refused:
        body.append("<h2>Files that were not judged</h2><ul>")
        body += [f"<li><b>{text(name)}</b>: {text(reason)}</li>" for name, reason in refused]
        body.append("</ul>")
    return document(f"{learner}: feedback", "".join(body))


def _result(result: Result, inputs: Inputs) -> Iterator[str]:
    yield f"<h2>{text(result.title)}</h2>"
    yield f'<p class="quiet">{result.points:g} of {result.out_of:g} points · {text(result.notebook)}</p>'
    if result.reason:
        yield f'<section class="changed"><p>{text(result.reason)}</p></section>'
    if result.mends:
        mends = "".join(f"<li>{text(mend)}</li>" for mend in result.mends)
        yield f'<p class="quiet">Mended in your notebook:</p><ul class="quiet">{mends}</ul>'
    for item in result.items:
        yield from _item(item, inputs.get((result.stage, item.id), ()))
    yield from _words(result)


def _item(item: ItemResult, inputs: Sequence[str]) -> Iterator[str]:
    mark, sign = GLYPHS[item.verdict]
    yield f'<section class="{mark}"><h3>{glyph(mark, sign)}'
    points = f"{item.points:g} / {item.out_of:g}"
    yield f'<span>{text(item.title)}</span><span class="points">{points}</span></h3>'
    said = f"{item.kind}, {item.verdict}" + (f": {item.reason}" if item.reason else "")
    yield f'<div class="pair"><div><p class="quiet">{text(said)}</p>'
    if item.verdict != "pass" and item.verdict != "not attempted":
        more = [_shown(*pair) for pair in zip(inputs, item.recorded, strict=False)]
        cases = (_case(case, more[n] if more else "") for n, case in enumerate(item.cases))
        yield f'<ul class="cases">{"".join(cases)}</ul>'
        yield f"<p>Hint: {prose(item.hint)}</p>" if item.hint else ""
    yield "</div><div>"
    yield f"<pre>{text(item.answer)}</pre>" if item.answer else ""
    yield "</div></div></section>"


def _shown(given: str, value: str) -> str:
    lines = [f"input: {given}", f"your answer: {value}"]
    cut = [text(line[:_SHOWN]) + ("…" if len(line) > _SHOWN else "") for line in lines]
    shown = "".join(f'<pre class="wrapped">{line}</pre>' for line in cut)
    return f"<details><summary>what it was run on</summary>{shown}</details>"


def _case(case: CaseResult, more: str) -> str:
    mark, sign = ("holds", "✓") if case.right else ("broken", "✗")
    pair = f"expected: {text(case.expected)} · seen: {text(case.seen)}"
    found = "" if case.right else f'<br><span class="quiet">{pair}</span>{more}'
    return f"<li>{glyph(mark, sign)}<span>{text(case.says)}{found}</span></li>"


def _words(result: Result) -> Iterator[str]:
    """What the learner wrote for people, beside what it is read by, and a place for the points it gets."""
    stage = load_stage(result.stage)
    place = '<span class="points">points: ______</span></h3>'
    option = stage.prediction.options.get(result.prediction)
    mark, sign = GLYPHS["not attempted"]
    if result.prediction:
        mark, sign = GLYPHS["pass" if result.prediction == stage.prediction.answer else "fail"]
    chosen = prose(option.text) if option else text(result.prediction or "(nothing was chosen)")
    yield f'<section class="words"><h3>{glyph(mark, sign)}<span>Prediction</span>{place}'
    yield f"<p>{prose(stage.prediction.question)}</p>"
    yield f'<div class="pair"><div><blockquote>{chosen}</blockquote></div>'
    yield f"<div>{f'<p>{prose(option.why)}</p>' if option else ''}</div></div></section>"
    yield f'<section class="words"><h3><span>Explanation</span>{place}<p>{prose(stage.explain.question)}</p>'
    written = text(_BREAK.sub(" ", result.explanation) or "(nothing was written)")
    yield f'<div class="pair"><div><blockquote>{written}</blockquote></div><div>'
    yield '<p class="quiet">A strong answer contains; ✓ is what you marked as covered:</p><ul class="cases">'
    for number, point in enumerate(stage.explain.rubric, start=1):
        yield f"<li><span>{'✓' if number in result.covered else '○'}</span><span>{prose(point)}</span></li>"
    yield "</ul></div></div></section>"
