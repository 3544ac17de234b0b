# Every type is asked for, and the rest refused.
import math

from forge.chain import MAX_SAFE_INTEGER, FrozenDict, FrozenList, freeze_key, refuse


def freeze(value, path="value", depth=0):
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, int) and abs(value) <= MAX_SAFE_INTEGER:
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, dict):
        return FrozenDict(
            {freeze_key(key, path): freeze(item, f"{path}.{key}", depth + 1) for key, item in value.items()}
        )
    if isinstance(value, list):
        return FrozenList([freeze(item, f"{path}[{i}]", depth + 1) for i, item in enumerate(value)])
    refuse(path, "a value that JSON keeps", repr(value))
