"""How a probe writes down what an answer did, so that every right answer comes out the same."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .judged import edition

PROMISED: tuple[type[Exception], ...] = (KeyError, ValueError, OSError, RuntimeError)
"""The types of error that forge promises; an answer may raise any subclass."""


def outcome(
    act: Callable[[], Any],
    *,
    words: Sequence[str] = (),
    kinds: Sequence[type] = PROMISED,
    tell: Callable[[str], Any] | None = None,
) -> dict[str, Any]:
    """What `act` returned, or the promised type that it raised and those of `words` that the error says.

    `tell` takes more out of the error's text, where right answers agree on it.
    """
    try:
        return {"returned": act()}
    except NotImplementedError:
        return {"raised": "NotImplementedError"}
    except Exception as error:
        kind = next((kind for kind in kinds if isinstance(error, kind)), type(error))
        said = str(error)
        told = {"told": tell(said)} if tell else {}
        return {"raised": kind.__name__, "words": [word for word in words if word in said], **told}


def scene(
    answer: Callable[..., Any], sources: Mapping[str, str], show: Callable[[Any], Any]
) -> dict[str, Any]:
    """What a transfer scene comes to on an edition of forge; that it raised is all that counts of an error.

    A scene that takes a parameter is given the folder it runs in, which is new and empty.
    """
    with edition(sources):
        arguments = [Path.cwd()] if inspect.signature(answer).parameters else []
        try:
            found = answer(*arguments)
        except KeyboardInterrupt:
            raise
        except NotImplementedError:
            return {"raised": "NotImplementedError"}
        except BaseException:  # a failure that pytest raises is no Exception
            return {"raised": "an error"}
        try:
            return {"returned": show(found)}
        except Exception:
            return {"returned": f"a {type(found).__name__} that is not what was asked for"}
