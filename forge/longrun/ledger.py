"""The ledger: what a night has done, what it is doing, how often it tried, and what that cost.

These are the things that the next window must know to take the right next step, and the ledger has room for
nothing else. A thought has done its work when its conclusion stands here. A tool's receipt can be had again,
and only the one that is had again is right.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import Field, PlainValidator, model_validator

from ..chain import FrozenDict, freeze
from ..errors import ForgeModel, InvalidValue
from ..wording import show
from .features import PATIENCE

Id: TypeAlias = Annotated[str, Field(pattern=r"^\S+$")]
Kind: TypeAlias = Literal["window_opened", "begun", "verifying", "finished", "failed"]


def _attempts(value: Any) -> FrozenDict:
    expected = "whole numbers of at least 1 by feature"
    if not isinstance(value, Mapping) or not all(
        type(feature) is str and type(count) is int and count >= 1 for feature, count in value.items()
    ):
        raise InvalidValue(
            "Ledger.attempts was refused",
            f"expected {expected}, found {show(value)}.",
            path="Ledger.attempts",
            expected=expected,
            found=show(value),
        )
    frozen: FrozenDict = freeze(dict(sorted(value.items())), "attempts")
    return frozen


class Spent(ForgeModel):
    """What the night has used up: windows that were opened, and steps that were begun in them."""

    windows: int = Field(default=0, ge=0)
    steps: int = Field(default=0, ge=0)


class Ledger(ForgeModel):
    """The authoritative state of a night, frozen.

    `done` holds the ids of finished features in the order in which they were finished. `current` is the one
    that was begun and has not ended. `attempts` counts by id how often each was begun.
    """

    done: Annotated[tuple[Id, ...], Field(strict=False)] = ()
    current: Id | None = None
    attempts: Annotated[dict[str, int], PlainValidator(_attempts)] = Field(default_factory=dict)
    spent: Spent = Spent()

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        twice = [feature for n, feature in enumerate(self.done) if feature in self.done[:n]]
        never = [feature for feature in (*self.done, self.current) if feature not in (None, *self.attempts)]
        if twice or never:
            found = f"{twice[0]} twice in done" if twice else f"{never[0]} without an attempt"
            raise InvalidValue(
                "a ledger contradicts itself",
                f"expected every feature once in done, and begun at least once, found {found}.",
                path="Ledger",
                expected="every feature once in done, and begun at least once",
                found=found,
            )
        return self


class Change(ForgeModel):
    """One thing that happens to a ledger. A window that opens concerns no feature."""

    kind: Kind
    feature: Id | None = None


def opened_window(ledger: Ledger) -> Ledger:
    """One more window; everything that was counted goes on being counted."""
    return ledger.model_copy(update={"spent": _more(ledger, windows=1)})


def begun(ledger: Ledger, feature: str) -> Ledger:
    """The feature is being worked on: one more attempt, one more step."""
    attempts = {**ledger.attempts, feature: ledger.attempts.get(feature, 0) + 1}
    update = {"current": feature, "attempts": attempts, "spent": _more(ledger, steps=1)}
    return ledger.model_copy(update=update)


def verifying(ledger: Ledger) -> Ledger:
    """A step goes into finding out how the current feature ended. That is no attempt."""
    return ledger.model_copy(update={"spent": _more(ledger, steps=1)})


def finished(ledger: Ledger, feature: str) -> Ledger:
    """The feature is done. One that was done already keeps its place."""
    done = ledger.done if feature in ledger.done else (*ledger.done, feature)
    return ledger.model_copy(update={"done": done, "current": None})


def failed(ledger: Ledger) -> Ledger:
    """The attempt has ended without its feature. That it was made stays counted."""
    return ledger.model_copy(update={"current": None})


def stuck(ledger: Ledger, patience: int = PATIENCE) -> tuple[str, ...]:
    """The features that were begun so often without an end that somebody has to look."""
    return tuple(
        feature
        for feature, count in ledger.attempts.items()
        if count >= patience and feature not in (*ledger.done, ledger.current)
    )


def apply_change(ledger: Ledger | None, change: Change) -> Ledger:
    """The ledger after one more change, from None before the first: the reducer of a night."""
    ledger = Ledger() if ledger is None else ledger
    feature = change.feature or ""
    match change.kind:
        case "window_opened":
            return opened_window(ledger)
        case "begun":
            return begun(ledger, feature)
        case "verifying":
            return verifying(ledger)
        case "finished":
            return finished(ledger, feature)
        case "failed":
            return failed(ledger)


def _more(ledger: Ledger, *, windows: int = 0, steps: int = 0) -> Spent:
    spent = ledger.spent
    return Spent(windows=spent.windows + windows, steps=spent.steps + steps)
