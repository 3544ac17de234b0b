"""The page of a class: how each exercise went, where it went wrong, and which hint would have helped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from .pages import document, glyph, prose, text
from .results import ItemResult, Result

_SHARES = (
    ("0 %", "broken"),
    ("≤25 %", "changed"),
    ("≤50 %", "changed"),
    ("≤75 %", "changed"),
    ("<100 %", "changed"),
    ("100 %", "holds"),
)
"""The columns of a chart: up to which share of the points, and in which colour."""
_WIDTH, _HEIGHT, _COLUMN = 440, 128, 62


def class_page(results: Sequence[Result]) -> str:
    """The page of all results of a batch. It names no learner."""
    learners = len({one.learner for one in results})
    judged = sum(one.judged for one in results)
    body = ["<h1>The class</h1>"]
    body.append(
        f"<p>{_count(learners, 'learner')}, {judged} of {_count(len(results), 'submission')} judged</p>"
    )
    for stem in sorted({one.stage for one in results}):
        body += _stage([one for one in results if one.stage == stem])
    return document("The class", "".join(body))


def _stage(results: Sequence[Result]) -> Iterator[str]:
    """A table of the stage's answers, and then each of them; results without answers have none to count."""
    judged = [one for one in results if one.items]
    yield f"<h2>{text(results[0].title)}</h2>"
    yield f'<p class="quiet">{text(results[0].stage)} · {_count(len(results), "submission")}</p>'
    ids = dict.fromkeys(item.id for one in judged for item in one.items)
    answers = [[item for one in judged for item in one.items if item.id == name] for name in ids]
    yield '<table><tr><th></th><th class="number">attempted</th><th class="number">passed</th>'
    yield '<th class="number">mean</th></tr>'
    for items in answers:
        mean = sum(item.points for item in items) / len(items)
        numbers = (str(len(_attempted(items))), str(_passed(items)), f"{mean:.1f} / {items[0].out_of:g}")
        cells = "".join(f'<td class="number">{number}</td>' for number in numbers)
        yield f"<tr><td>{text(items[0].title)}</td>{cells}</tr>"
    yield "</table>"
    for items in answers:
        yield from _answer(items)


def _answer(items: Sequence[ItemResult]) -> Iterator[str]:
    attempted, passed = _attempted(items), _passed(items)
    whole = passed == len(attempted)
    mark, sign = ("notyet", "○") if not attempted else ("holds", "✓") if whole else ("changed", "◐")
    yield f'<section class="{mark}"><h3>{glyph(mark, sign)}<span>{text(items[0].title)}</span>'
    yield f'<span class="points">{passed} of {len(items)} passed</span></h3><div class="pair"><div><dl>'
    yield f"<dt>attempted</dt><dd>{len(attempted)} of {len(items)}</dd>"
    failed = [item for item in attempted if item.verdict != "pass"]
    facts = {
        "most failed": _commonest(case.says for item in failed for case in item.cases if not case.right),
        "not run": _commonest(item.reason for item in failed if not item.cases),
        "hint": _commonest(item.hint for item in failed if item.hint),
    }
    for name, fact in facts.items():
        if fact:
            often = f'<span class="quiet">({fact[1]} of {len(failed)})</span>'
            yield f"<dt>{name}</dt><dd>{prose(fact[0])} {often}</dd>"
    yield f"</dl></div><div>{_chart(attempted) if attempted else ''}</div></div></section>"


def _chart(items: Sequence[ItemResult]) -> str:
    """How many answers earned which share of the points, as one SVG picture that says it in words too."""
    found = Counter(_column(item) for item in items)
    counts = [found[number] for number in range(len(_SHARES))]
    most, ground = max(counts), _HEIGHT - 26
    parts = [f'<line class="line" x1="0" x2="{_WIDTH}" y1="{ground}" y2="{ground}"/>']
    for number, ((label, mark), count) in enumerate(zip(_SHARES, counts, strict=True)):
        left, tall = 6 + number * 73, round(count / most * (ground - 24))
        middle = left + _COLUMN // 2
        if count:
            parts.append(
                f'<rect class="{mark}" x="{left}" y="{ground - tall}" width="{_COLUMN}" height="{tall}"/>'
                f'<text x="{middle}" y="{ground - tall - 5}">{count}</text>'
            )
        parts.append(f'<text x="{middle}" y="{ground + 19}">{text(label)}</text>')
    pairs = zip(_SHARES, counts, strict=True)
    words = text(", ".join(f"{label}: {count}" for (label, _), count in pairs))
    frame = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="answers by share of points: {words}"'
    caption = '<p class="quiet">attempted answers, by their share of the points</p>'
    return f"<svg {frame}>{''.join(parts)}</svg>{caption}"


def _column(item: ItemResult) -> int:
    share = item.points / item.out_of if item.out_of else 0.0
    if share >= 1 or share <= 0:
        return len(_SHARES) - 1 if share >= 1 else 0
    return 1 + min(3, int(share * 4 - 1e-9))


def _attempted(items: Sequence[ItemResult]) -> list[ItemResult]:
    return [item for item in items if item.verdict != "not attempted"]


def _passed(items: Sequence[ItemResult]) -> int:
    return sum(item.verdict == "pass" for item in items)


def _commonest(words: Iterator[str]) -> tuple[str, int] | None:
    """The most frequent text and how often it came; of several, the first in the alphabet."""
    return min(Counter(words).items(), key=lambda pair: (-pair[1], pair[0]), default=None)


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'' if number == 1 else 's'}"
