from __future__ import annotations

import datetime
import gzip
import json
from typing import Any

import pytest

from forge.errors import InvalidValue
from forge.history import History
from forge.timeline import Edges, Rectangle, Timeline


def day(number: int) -> datetime.date:
    return datetime.date(2026, 10, number)


def history() -> History[int, str]:
    return History(["set", "moved", "ended"], lambda n, _: (n or 0) + 1)


def sent(*rectangles: Rectangle, **options: Any) -> Any:
    return json.loads(gzip.decompress(Timeline(history(), dates=rectangles, **options).dates))


def test_rectangles_are_sent_once_each_with_the_events_that_drew_its_edges() -> None:
    first = datetime.date(2026, 10, 1).toordinal()
    assert sent(
        Rectangle("schedule", {"at": "noon", "on": {"day": 2}}, 1, 2, day(1)),
        Rectangle("schedule", {"at": "one"}, 2, None, day(1), day(5), Edges(2, None, 1, 2)),
        Rectangle("access", None, 0, 3),
    ) == {
        "first": first - 1,
        "last": first + 5,
        "at": first,
        "rows": ["schedule", "access"],
        "rectangles": [
            [0, [["at", "noon"], ["on.day", "2"]], [1, 2], [first, None], [1, 2, 1, None]],
            [0, [["at", "one"]], [2, None], [first, first + 4], [2, None, 1, 2]],
            [1, [], [0, 3], [None, None], [None, 3, None, None]],
        ],
    }


def test_the_date_opens_where_it_is_told_or_at_the_latest_beginning() -> None:
    rectangles = [Rectangle("a", 1, 1, None, day(3), day(9)), Rectangle("b", 1, 1, None, day(5))]
    assert sent(*rectangles)["at"] == day(5).toordinal()
    told = sent(*rectangles, date=day(20))
    assert (told["at"], told["last"]) == (day(20).toordinal(), day(21).toordinal())


def test_without_a_front_end_the_rows_in_force_stand_in_a_table() -> None:
    rectangles = [
        Rectangle("schedule", {"at": "noon"}, 1, 3, day(1)),
        Rectangle("schedule", {"at": "one"}, 3, None, day(1), day(5)),
        Rectangle("access", "<b>", 2),
        Rectangle("later", 1, 2, None, day(4)),
        Rectangle("over", 1, 2, None, None, day(3)),
    ]
    made = Timeline(history(), dates=rectangles, date=day(3))._repr_mimebundle_()[0]
    assert made["text/plain"].splitlines()[2:5] == [
        "in force on 2026-10-03, as known after 3",
        "     schedule  at one     2026-10-01 – 2026-10-05",
        "     access    value <b>  –",
    ]
    assert "<td>schedule</td><td>at one</td><td>2026-10-01 – 2026-10-05</td>" in made["text/html"]
    assert "<td>access</td><td>value &lt;b&gt;</td>" in made["text/html"]


def test_a_timeline_without_dates_sends_none() -> None:
    assert Timeline(history()).dates == b""


def test_dates_are_shown_anew_with_the_history() -> None:
    timeline = Timeline(history())
    timeline.show(history(), dates=[Rectangle("a", 1, 1, None, day(3))])
    assert timeline.dates
    with pytest.raises(InvalidValue, match="dates were refused"):
        timeline.show(history(), dates=[Rectangle("a", 1, 4)])
    assert len(timeline.history) == 3
    timeline.show(history())
    assert timeline.dates == b""


@pytest.mark.parametrize(
    ("rectangle", "where"),
    [
        ("x", r"dates\[0\]: expected a Rectangle, found"),
        (Rectangle(1, 1, 1), r"dates\[0\].row: expected a text, found 1"),  # type: ignore[arg-type]
        (Rectangle("a", 1, 4), r"dates\[0\].prefix_from: expected a prefix from 0 to 3, found 4"),
        (Rectangle("a", 1, True), r"prefix_from"),
        (Rectangle("a", 1, 2, 2), r"prefix_to: expected None, or a prefix from 3 to 3, found 2"),
        (Rectangle("a", 1, 1, 4), r"prefix_to"),
        (Rectangle("a", 1, 1, None, "2026-10-01"), r"date_from: expected a datetime.date"),  # type: ignore[arg-type]
        (Rectangle("a", 1, 1, None, datetime.datetime(2026, 10, 1)), r"date_from"),
        (Rectangle("a", 1, 1, None, day(2), day(2)), r"date_to: expected None, or a date after 2026-10-02"),
        (Rectangle("a", 1, 1, None, None, None, Edges(4)), r"edges.prefix_from: expected None, or an event"),
    ],
)
def test_a_rectangle_that_is_none_is_refused_by_its_place(rectangle: Any, where: str) -> None:
    with pytest.raises(InvalidValue, match=f"^dates were refused: .*{where}"):
        Timeline(history(), dates=[rectangle])


def test_the_outermost_days_have_no_neighbour() -> None:
    told = sent(Rectangle("a", 1, 1, None, datetime.date.min, datetime.date.max))
    assert (told["first"], told["last"]) == (1, datetime.date.max.toordinal())
