"""Values and paths as text.

The wording lives in Python only: the browser receives text and moves it, so a live view and a static table
never disagree.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

from ..history import Path

_LIKE_ANOTHER_VALUE = re.compile(
    r"|null|true|false|NaN|-?Infinity|\{\}|\[\]|-?\d.*|\".*|\s.*|.*\s", re.DOTALL
)
_SIMPLE_KEY = re.compile(r"[^\s.\[\]\"]+")
# Controls, line and paragraph separators, direction marks, zero-width spaces, halves of characters. The two
# joiners are left out: Persian, Hindi and many emoji are written with them. A fixed list, because what
# Python calls printable grows with every version.
_UNSEEN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]"
)


def show(value: Any) -> str:
    """A leaf of a state as one line of text; two leaves that differ never read the same.

    Text is quoted where it would read as another value, such as `"false"` or `"3"`, and where it holds
    characters that cannot be seen: those are written as their JSON escapes.
    """
    if type(value) is int:
        return str(value)
    if isinstance(value, float):
        sign = "-" if value < 0 else ""
        return repr(value) if math.isfinite(value) else "NaN" if math.isnan(value) else f"{sign}Infinity"
    if not isinstance(value, str):
        return json.dumps(value)
    if _LIKE_ANOTHER_VALUE.fullmatch(value) or _UNSEEN.search(value):
        return visible(json.dumps(value, ensure_ascii=False))
    return value


def visible(text: str) -> str:
    """The text with the JSON escape of each character that cannot be seen."""
    return _UNSEEN.sub(lambda match: json.dumps(match[0])[1:-1], text)


def path_text(path: Path) -> str:
    """A path as a learner writes it: `payload.steps[0]`; a key with a dot, a bracket or a space is quoted."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif _SIMPLE_KEY.fullmatch(part) and not _UNSEEN.search(part):
            text += f".{part}" if text else part
        else:
            text += f"[{visible(json.dumps(part, ensure_ascii=False))}]"
    return text or "value"
