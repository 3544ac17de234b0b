# Checked in one walk, frozen in another.
import math

from forge.chain import FrozenDict, FrozenList
from forge.errors import InvalidValue


def complain(value, path):
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise InvalidValue(f"{path} was refused", f"its key {key!r} is not text.")
            complain(item, f"{path}.{key}")
    elif isinstance(value, list):
        for position, item in enumerate(value):
            complain(item, f"{path}[{position}]")
    elif isinstance(value, float) and not math.isfinite(value):
        raise InvalidValue(f"{path} was refused", f"{value!r} is not a finite number.")
    elif isinstance(value, int) and abs(value) >= 2**53:
        raise InvalidValue(f"{path} was refused", f"{value!r} is too large.")
    elif not isinstance(value, (str, bool, int, float, type(None))):
        raise InvalidValue(f"{path} was refused", f"{value!r} is not JSON.")


def frozen(value):
    if isinstance(value, dict):
        return FrozenDict({key: frozen(item) for key, item in value.items()})
    return FrozenList([frozen(item) for item in value]) if isinstance(value, list) else value


def freeze(value, path="value", depth=0):
    complain(value, path)
    return frozen(value)
