# Permissions are written in lower case, as text.
from forge.state.checkpoint_bytes import Fields


def from_version_0(fields: Fields) -> Fields:
    state = dict(fields["state"])
    state["write_allowed"] = str(state.pop("may_write")).lower()
    state["failure_reason"] = None
    return {**fields, "schema_version": 1, "state": state}
