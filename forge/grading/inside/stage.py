"""The stage in a kernel that is judged: it takes answers, and shows nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .judged import take

F = TypeVar("F", bound=Callable[..., Any])


class Stage:
    """Answers every call of a notebook; only the three decorators do anything."""

    def exercise(self, name: str) -> Callable[[F], F]:
        """Take the function below as the answer."""

        def decorate(answer: F) -> F:
            take(name, answer)
            return answer

        return decorate

    repair = transfer = exercise

    def __getattr__(self, _name: str) -> Callable[..., None]:
        return lambda *_args, **_kwargs: None


def open_stage(_stem: str) -> Stage:
    """The stage, whichever it is."""
    return Stage()
