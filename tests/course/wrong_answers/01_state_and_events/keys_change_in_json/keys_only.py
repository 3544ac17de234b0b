# Only keys change on the way through JSON.
from forge.chain import FrozenDict, FrozenList, freeze_key


def freeze(value, path="value", depth=0):
    if isinstance(value, dict):
        return FrozenDict(
            {freeze_key(key, path): freeze(item, f"{path}.{key}", depth + 1) for key, item in value.items()}
        )
    if isinstance(value, (list, tuple)):
        return FrozenList([freeze(item, f"{path}[{i}]", depth + 1) for i, item in enumerate(value)])
    return value
