"""How a probe writes down what an answer did, so that every right answer comes out the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

PROMISED: tuple[type[Exception], ...] = (KeyError, ValueError, OSError, RuntimeError)
"""The types of error that forge promises; an answer may raise any subclass."""


def outcome(
    act: Callable[[], Any], *, words: Sequence[str] = (), kinds: Sequence[type] = PROMISED
) -> dict[str, Any]:
    """What `act` returned, or the promised type that it raised and those of `words` that the error says."""
    try:
        return {"returned": act()}
    except NotImplementedError:
        return {"raised": "NotImplementedError"}
    except Exception as error:
        kind = next((kind for kind in kinds if isinstance(error, kind)), type(error))
        said = str(error)
        return {"raised": kind.__name__, "words": [word for word in words if word in said]}
