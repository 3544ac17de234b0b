# A table of new names does it all; a name that is missing stays missing.
from forge.state.checkpoint_bytes import Fields


def from_version_0(fields: Fields) -> Fields:
    names = {"may_write": "write_allowed"}
    state = {names.get(key, key): value for key, value in fields["state"].items()}
    return {**fields, "schema_version": 1, "state": {**state, "failure_reason": None}}
