# A field that may be None need not be there.
from forge.state.checkpoint_bytes import Fields


def from_version_0(fields: Fields) -> Fields:
    state = dict(fields["state"])
    state["write_allowed"] = state.pop("may_write")
    return {**fields, "schema_version": 1, "state": state}
