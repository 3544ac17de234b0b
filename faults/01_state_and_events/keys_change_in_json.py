import json
from typing import Any

from forge.chain import FrozenDict, FrozenList


def freeze(value: Any, path: str = "value", depth: int = 0) -> Any:
    """A copy that cannot change: to JSON, back again, and frozen."""
    copy = json.loads(json.dumps(value)) if depth == 0 else value
    below = depth + 1
    if isinstance(copy, dict):
        items = {k: freeze(v, f"{path}.{k}", below) for k, v in copy.items()}
        return FrozenDict(items)
    if isinstance(copy, list):
        parts = [freeze(v, f"{path}[{i}]", below) for i, v in enumerate(copy)]
        return FrozenList(parts)
    return copy
