"""A random walk over a timeline in a page: every way to move, and after each the state Python computes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from playwright.sync_api import Locator, expect

from forge.history import History, flatten
from forge.timeline import Rectangle
from forge.timeline.plain import path_text, show

KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"]
BUTTONS = ["first", "back", "forward", "last"]


def settled(timeline: Locator) -> int:
    """The prefix whose state is shown, once it is the one that the slider stands at and nothing plays."""
    handle = timeline.element_handle()
    found: int = timeline.page.wait_for_function(
        """root => root.dataset.prefix !== undefined && !("playing" in root.dataset)
          && !("searching" in root.dataset)
          && root.dataset.prefix === root.querySelector("[data-part=slider]").value
          && [root.dataset.prefix]""",
        arg=handle,
    ).json_value()
    return int(found[0])


def shown_state(timeline: Locator) -> dict[str, str]:
    """The state table as it is drawn: value by path."""
    found: dict[str, str] = timeline.evaluate(
        """root => Object.fromEntries([...root.querySelectorAll("[data-part=state] tr[data-path]")]
          .filter(row => row.dataset.change !== "removed")
          .map(row => [row.dataset.path, row.querySelector("[data-part=is]").textContent]))"""
    )
    return found


def computed_state(history: History[Any, Any], prefix: int) -> dict[str, str]:
    """The same from the history itself."""
    return {path_text(path): show(leaf) for path, leaf in flatten(history.at(prefix)).items()}


def cut_off(found: Locator) -> list[str]:
    """The controls and panels that reach beyond the timeline, or whose content reaches beyond them."""
    names: list[str] = found.evaluate(
        """root => {
          const { right } = root.getBoundingClientRect();
          const names = "button, input, select, code, table, .bar, .panels > div";
          const parts = [root, ...root.querySelectorAll(names)];
          return parts.filter((part) => part.checkVisibility() && !part.closest(".unseen") &&
              (part.getBoundingClientRect().right > right + 1 ||
               (part.matches("div") && part.scrollWidth > part.clientWidth + 1)))
            .map((part) => part.dataset.do ?? part.dataset.part ?? part.className);
        }"""
    )
    return names


def shown_rows(timeline: Locator) -> list[str]:
    """The rows in force that are drawn, each with its values."""
    found: list[str] = timeline.evaluate(
        """root => [...root.querySelectorAll("[data-part=rows] tr[data-row]")]
          .filter(row => row.dataset.change !== "removed")
          .map(row => `${row.dataset.row}: ${row.querySelector(".values, td").textContent}`)"""
    )
    return sorted(found)


def computed_rows(facts: Sequence[Rectangle], prefix: int, day: date) -> list[str]:
    """The same from the rectangles: those that hold the point."""
    return sorted(
        f"{fact.row}: version {fact.values['version']}"
        for fact in facts
        if fact.prefix_from <= prefix
        and (fact.prefix_to is None or prefix < fact.prefix_to)
        and (fact.date_from is None or fact.date_from <= day)
        and (fact.date_to is None or day < fact.date_to)
    )


class Walk:
    """Moves chosen by a seed; `done` counts them by kind. `facts` are those of the second axis, if any."""

    def __init__(
        self, timeline: Locator, history: History[Any, Any], seed: int, facts: Sequence[Rectangle] = ()
    ) -> None:
        self.timeline, self.history, self.facts = timeline, history, facts
        self.chance = random.Random(seed)
        self.slider = timeline.locator("[data-part=slider]")
        self.done: Counter[str] = Counter()

    def go(self, moves: int) -> None:
        """Make the moves, and compare after each."""
        kinds = [self.key, self.click, self.drag, self.number, self.event, self.play, self.search, self.mark]
        kinds += [self.day, self.day_key] if self.facts else []
        for turn in range(moves):
            move = self.chance.choice(kinds)
            move()
            self.done[move.__name__] += 1
            prefix = settled(self.timeline)
            shown, computed = shown_state(self.timeline), computed_state(self.history, prefix)
            where = f"move {turn + 1}, {move.__name__}, led to prefix {prefix}"
            assert shown == computed, where
            if self.facts:
                on = date.fromisoformat(self.timeline.get_attribute("data-date") or "")
                assert shown_rows(self.timeline) == computed_rows(self.facts, prefix, on), f"{where} on {on}"

    def key(self) -> None:
        self.slider.press(self.chance.choice(KEYS))

    def click(self) -> None:
        # A button at its end says that it is disabled, and can be pressed all the same.
        self.timeline.locator(f"[data-do={self.chance.choice(BUTTONS)}]").click(force=True)

    def drag(self) -> None:
        """Press somewhere on the slider, go to two other places, and let go."""
        self.slider.scroll_into_view_if_needed()
        box = self.slider.bounding_box()
        assert box is not None
        mouse, row = self.timeline.page.mouse, box["y"] + box["height"] / 2
        places = [box["x"] + 4 + self.chance.random() * (box["width"] - 8) for _ in range(3)]
        mouse.move(places[0], row)
        mouse.down()
        for place in places[1:]:
            mouse.move(place, row, steps=4)
        mouse.up()

    def number(self) -> None:
        box = self.timeline.locator("[data-part=typed]")
        box.fill(str(self.chance.randint(0, len(self.history))))
        box.press("Enter")

    def event(self) -> None:
        """Click an event of those the list shows."""
        shown = self.timeline.locator("[data-part=events] [data-event]")
        self.timeline.page.wait_for_function(
            "root => root.querySelector('[data-part=events] [data-event]') !== null",
            arg=self.timeline.element_handle(),
        )
        shown.nth(self.chance.randrange(shown.count())).click()

    def play(self) -> None:
        button = self.timeline.locator("[data-do=play]")
        button.click()
        if self.timeline.get_attribute("data-playing") is not None:
            button.click()

    def search(self) -> None:
        words = self.timeline.locator("[data-part=search]")
        words.fill(self.chance.choice(["step 3", "created", "e1", "nothing at all"]))
        self.timeline.locator(f"[data-do={self.chance.choice(['next', 'previous'])}]").click()

    def mark(self) -> None:
        """Press the mark of an event on the ruler, where there is one."""
        marks = self.timeline.locator("[data-mark] text")
        if marks.count():
            marks.nth(self.chance.randrange(marks.count())).click()

    def day(self) -> None:
        """Type a date that is on the slider."""
        known = [side for fact in self.facts for side in (fact.date_from, fact.date_to) if side]
        box = self.timeline.locator("[data-part=date]")
        box.fill(str(min(known) + timedelta(days=self.chance.randint(0, (max(known) - min(known)).days))))
        box.press("Enter")

    def day_key(self) -> None:
        self.timeline.locator("[data-part=days]").press(self.chance.choice(KEYS))


def start(timeline: Locator) -> None:
    """Wait until the timeline shows its first state."""
    expect(timeline).to_be_visible()
    settled(timeline)
