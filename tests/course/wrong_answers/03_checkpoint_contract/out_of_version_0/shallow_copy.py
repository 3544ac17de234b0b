# A copy of the fields is a copy of the state.
from forge.state.checkpoint_bytes import Fields


def from_version_0(fields: Fields) -> Fields:
    fields = dict(fields)
    fields["state"]["write_allowed"] = fields["state"].pop("may_write")
    fields["state"]["failure_reason"] = None
    fields["schema_version"] = 1
    return fields
