# Where there is no permission, refusing to write is safe.
from forge.state.checkpoint_bytes import Fields


def from_version_0(fields: Fields) -> Fields:
    state = dict(fields["state"])
    state["write_allowed"] = state.pop("may_write", False)
    state["failure_reason"] = None
    return {**fields, "schema_version": 1, "state": state}
