"""Mechanism 8: which model a task goes to: lite, default or craft.

The kind of task decides, by a table that is read in one look. Small jobs that a harness has of its own, a
title, a summary, a classification, go to the lite model; work that is hard to undo goes to craft.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from ..errors import InvalidValue
from ..wording import show
from .streaming import Usage


class Tier(StrEnum):
    """How strong a model a task needs."""

    LITE = "lite"
    DEFAULT = "default"
    CRAFT = "craft"


TASKS: Mapping[str, Tier] = {
    "title": Tier.LITE,
    "summary": Tier.LITE,
    "classify": Tier.LITE,
    "chat": Tier.DEFAULT,
    "search": Tier.DEFAULT,
    "plan": Tier.CRAFT,
    "code": Tier.CRAFT,
    "review": Tier.CRAFT,
}
"""The tier of each kind of task; a kind that is not here goes to `default`."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model and what its tokens cost, in millionths of a credit for each token."""

    name: str
    input_price: int
    output_price: int

    def cost(self, usage: Usage) -> int:
        """What a call cost, in millionths of a credit."""
        return usage.input_tokens * self.input_price + usage.output_tokens * self.output_price


MODELS: Mapping[Tier, Model] = {
    Tier.LITE: Model("mock-lite", 1, 4),
    Tier.DEFAULT: Model("mock-default", 3, 15),
    Tier.CRAFT: Model("mock-craft", 15, 75),
}
"""The models of the mock, with invented prices whose ratios are like real ones."""


class Router:
    """Chooses among three models. Without one of them the next stronger one takes its place."""

    def __init__(self, models: Mapping[Tier, Model] = MODELS, tasks: Mapping[str, Tier] = TASKS) -> None:
        if Tier.CRAFT not in models:
            raise InvalidValue("models were refused", "expected a craft model, found none.")
        self._models = dict(models)
        self._tasks = dict(tasks)

    def route(self, task: str, *, tier: Tier | str | None = None) -> Model:
        """The model for a kind of task; a `tier` that a user or an expert names goes before the table."""
        if tier is not None and tier not in set(Tier):
            raise InvalidValue("tier was refused", f"expected lite, default or craft, found {show(tier)}.")
        wanted = Tier(tier) if tier is not None else self._tasks.get(task, Tier.DEFAULT)
        order = list(Tier)
        return next(self._models[t] for t in order[order.index(wanted) :] if t in self._models)
