# The fields of the state stand beside the version.
from forge.state.checkpoint_bytes import Fields


def from_version_0(fields: Fields) -> Fields:
    state = dict(fields["state"])
    state["write_allowed"] = state.pop("may_write")
    state["failure_reason"] = None
    return {**fields, **state, "schema_version": 1}
