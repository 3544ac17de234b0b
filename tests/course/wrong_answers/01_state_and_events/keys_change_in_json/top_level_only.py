# A payload is a mapping; what lies below its first level is its own affair.
from forge.chain import FrozenDict, FrozenList, freeze_key, refuse


def frozen(value):
    if isinstance(value, dict):
        return FrozenDict({key: frozen(item) for key, item in value.items()})
    if isinstance(value, list):
        return FrozenList([frozen(item) for item in value])
    return value


def freeze(value, path="value", depth=0):
    if isinstance(value, dict):
        for key, item in value.items():
            freeze_key(key, path)
            if type(item) not in (str, bool, int, float, dict, list, type(None)) or item != item:
                refuse(f"{path}.{key}", "a value that JSON keeps", repr(item))
    return frozen(value)
