"""Capstone 1, another scene: what must be true of the prices that were known and in force."""

from __future__ import annotations

from forge.course.scenes import price_list
from forge.versions import Repository, active_docs, temporal_view

LAST, FIRST = "2026-12-31", "2027-01-01"


def test_each_price_is_the_one_of_its_view(tmp_path):
    found = price_list(tmp_path)
    shape = len(found) if isinstance(found, list | tuple) else type(found).__name__
    assert shape == 4, "the scene must return four answers"
    values = [getattr(each, "value", each) for each in found]
    assert values == ["20", "25", "24", None], "the four answers must be 20, 25, 24 and none"
    views = [(each.citation.as_of, each.citation.on) for each in found[:3]]
    assert views == [(2, LAST), (2, FIRST), (3, FIRST)], "each answer must cite its own view"
    assert "after 1 event," in found[3].reason, "without an answer, its view must be the one after 1 event"
    path = tmp_path / "prices.sqlite"
    assert path.is_file(), "the memory must be prices.sqlite in the folder"
    with Repository(path, durable=False) as prices:
        assert len(prices) == 3, "three events must have been appended"
        for day in ("2026-06-01", LAST, FIRST, "2030-01-01"):
            known = active_docs(temporal_view(prices.replay(), day))
            assert len(known) == 1, f"on {day} exactly one price must be in force"
        assert prices.ask("price of the lamp", 3, LAST).value == "20", (
            "the old price must hold until the last day"
        )
        documents = {row["doc_id"] for row in active_docs(prices.replay())}
        assert len(documents) == 2, "the price of the old year and that of the new one must be two documents"
