# json.dumps can be told to refuse what is not JSON.
import json

from forge.chain import FrozenDict, FrozenList, refuse


def freeze(value, path="value", depth=0):
    if depth == 0:
        try:
            json.dumps(value, allow_nan=False, sort_keys=True)
        except (TypeError, ValueError) as error:
            refuse(path, "JSON", str(error))
    if isinstance(value, dict):
        return FrozenDict({key: freeze(item, f"{path}.{key}", depth + 1) for key, item in value.items()})
    if isinstance(value, list):
        return FrozenList([freeze(item, f"{path}[{i}]", depth + 1) for i, item in enumerate(value)])
    return value
