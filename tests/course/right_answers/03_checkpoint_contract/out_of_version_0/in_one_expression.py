# Everything but the old name, and then what is new.
from forge.state.checkpoint_bytes import Fields


def from_version_0(fields: Fields) -> Fields:
    old = fields["state"]
    kept = {key: value for key, value in old.items() if key != "may_write"}
    state = {**kept, "write_allowed": old["may_write"], "failure_reason": None}
    return fields | {"schema_version": 1, "state": state}
