# Old runs were all allowed to write.
from forge.state.checkpoint_bytes import Fields


def from_version_0(fields: Fields) -> Fields:
    state = dict(fields["state"])
    del state["may_write"]
    state["write_allowed"] = True
    state["failure_reason"] = None
    return {**fields, "schema_version": 1, "state": state}
