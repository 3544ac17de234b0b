# Where there is no permission, a run may write by default.
from forge.state.checkpoint_bytes import Fields


def from_version_0(fields: Fields) -> Fields:
    state = dict(fields["state"])
    state["write_allowed"] = state.pop("may_write", True)
    state["failure_reason"] = None
    return {**fields, "schema_version": 1, "state": state}
