"""Capstone 2, another scene: what must be true of a crawl that was killed on a page, and went on."""

from __future__ import annotations

from forge.course.scenes import crawl_frontier
from forge.longrun import Ledger, load_state


def test_the_crawl_goes_on_where_it_was_killed(tmp_path):
    found = crawl_frontier(tmp_path)
    shape = len(found) if isinstance(found, list | tuple) else type(found).__name__
    assert shape == 2, "the scene must return its decisions and the ledger"
    decisions, ledger = found
    told = [" ".join(map(str, decision)) for decision in decisions]
    expected = ["verify /news", "do /news", "do /prices"]
    assert told == expected, "the page in hand must be verified, fetched again, and then the new one"
    assert isinstance(ledger, Ledger), "the second thing returned must be a ledger"
    on_disk = load_state(tmp_path / "state")
    assert on_disk == ledger, "the ledger must be the one in the state folder"
    assert ledger.done == ("/", "/about", "/news"), "three pages must be done, in the order they were fetched"
    assert ledger.current is None, "no page must be in hand at the end"
    assert ledger.attempts == {"/": 1, "/about": 1, "/news": 2}, "both fetches of /news must be counted"
