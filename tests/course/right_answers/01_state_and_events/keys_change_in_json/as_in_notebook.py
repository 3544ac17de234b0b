# As the notebook's solved edition has it.
import math
from typing import Any

from forge.chain import (
    MAX_SAFE_INTEGER,
    FrozenDict,
    FrozenList,
    freeze,
    freeze_key,
    refuse,
)


def freeze(value: Any, path: str = "value", depth: int = 0) -> Any:
    """A copy that cannot change; what JSON would change is refused."""
    below = depth + 1
    if isinstance(value, dict):
        pairs = value.items()
        items = {freeze_key(k, path): freeze(v, f"{path}.{k}", below) for k, v in pairs}
        return FrozenDict(items)
    if isinstance(value, list):
        parts = [freeze(v, f"{path}[{i}]", below) for i, v in enumerate(value)]
        return FrozenList(parts)
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, int) and abs(value) <= MAX_SAFE_INTEGER:
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    refuse(path, "a value that JSON keeps", repr(value))
