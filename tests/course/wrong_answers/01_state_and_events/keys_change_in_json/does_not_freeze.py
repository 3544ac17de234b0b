# A value that was checked need not be frozen.
import math

from forge.chain import MAX_SAFE_INTEGER, freeze_key, refuse


def freeze(value, path="value", depth=0):
    if type(value) is dict:
        return {
            freeze_key(key, path): freeze(item, f"{path}.{key}", depth + 1) for key, item in value.items()
        }
    if type(value) is list:
        return [freeze(item, f"{path}[{i}]", depth + 1) for i, item in enumerate(value)]
    if value is None or type(value) in (str, bool):
        return value
    if type(value) is int and abs(value) <= MAX_SAFE_INTEGER:
        return value
    if type(value) is float and math.isfinite(value):
        return value
    refuse(path, "a value that JSON keeps", repr(value))
