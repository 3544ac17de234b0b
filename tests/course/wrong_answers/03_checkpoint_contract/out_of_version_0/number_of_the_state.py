# The version to raise is the one in the state.
from forge.state.checkpoint_bytes import Fields


def from_version_0(fields: Fields) -> Fields:
    state = dict(fields["state"])
    state["write_allowed"] = state.pop("may_write")
    state["failure_reason"] = None
    state["version"] = 1
    return {**fields, "schema_version": 1, "state": state}
