# A permission is true or false, so whatever stands there is made one of the two.
from forge.state.checkpoint_bytes import Fields


def from_version_0(fields: Fields) -> Fields:
    state = dict(fields["state"])
    state["write_allowed"] = bool(state.pop("may_write"))
    state["failure_reason"] = None
    return {**fields, "schema_version": 1, "state": state}
