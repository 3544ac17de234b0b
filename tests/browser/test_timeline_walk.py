"""200 random moves over a timeline: what is shown is always what `history.at` computes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page

from forge.timeline import Timeline
from tests.browser.walks import Walk, start
from tests.timeline.runs import long_run

pytestmark = pytest.mark.browser

MOVES = 1_000 if os.environ.get("FORGE_SWEEP") else 200


def test_every_move_on_the_exported_page_shows_the_state_of_its_prefix(page: Page, tmp_path: Path) -> None:
    history = long_run(30_000)
    page.context.set_offline(True)
    page.goto(Timeline(history).to_html(tmp_path / "run.html").as_uri())
    timeline = page.locator(".forge-timeline")
    start(timeline)
    walk = Walk(timeline, history, seed=1)
    walk.go(MOVES)
    assert len(walk.done) == 8
