# The missing permission is asked for before anything else.
from forge.state.checkpoint_bytes import Fields


def from_version_0(fields: Fields) -> Fields:
    if "may_write" not in fields["state"]:
        raise ValueError("a checkpoint of version 0 must say may_write")
    new = dict(fields)
    new["schema_version"] = 1
    new["state"] = dict(fields["state"], failure_reason=None)
    new["state"]["write_allowed"] = new["state"]["may_write"]
    del new["state"]["may_write"]
    return new
