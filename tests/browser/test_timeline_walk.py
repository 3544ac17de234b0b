"""200 random moves over a timeline: what is shown is always what `history.at` computes."""

from __future__ import annotations

import os
import random
from datetime import date, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page

from forge.timeline import Rectangle, Timeline
from tests.browser.walks import Walk, start
from tests.timeline.runs import long_run

pytestmark = pytest.mark.browser

MOVES = 1_000 if os.environ.get("FORGE_SWEEP") else 200


EVENTS = 30_000


def some_facts(count: int) -> list[Rectangle]:
    """Versions of five rows, known and in force here and there, some without an end."""
    chance, first = random.Random(5), date(2026, 9, 1)
    found = []
    for number in range(count):
        known = chance.randint(1, EVENTS - 2)
        begins = first + timedelta(days=chance.randint(0, 50))
        found.append(
            Rectangle(
                f"row {number % 5}",
                {"version": number},
                known,
                chance.choice([None, chance.randint(known + 1, EVENTS)]),
                chance.choice([None, begins]),
                chance.choice([None, begins + timedelta(days=chance.randint(1, 20))]),
            )
        )
    return found


def test_every_move_on_the_exported_page_shows_the_state_and_the_rows_of_its_place(
    page: Page, tmp_path: Path
) -> None:
    history, facts = long_run(EVENTS), some_facts(40)
    page.context.set_offline(True)
    page.goto(Timeline(history, dates=facts).to_html(tmp_path / "run.html").as_uri())
    timeline = page.locator(".forge-timeline")
    start(timeline)
    walk = Walk(timeline, history, seed=1, facts=facts)
    walk.go(MOVES)
    assert len(walk.done) == 10
