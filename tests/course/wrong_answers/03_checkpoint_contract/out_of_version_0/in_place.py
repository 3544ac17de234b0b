# The old fields are not needed any more, so they can be changed.
from forge.state.checkpoint_bytes import Fields


def from_version_0(fields: Fields) -> Fields:
    state = fields["state"]
    state["write_allowed"] = state.pop("may_write")
    state["failure_reason"] = None
    fields["schema_version"] = 1
    return fields
