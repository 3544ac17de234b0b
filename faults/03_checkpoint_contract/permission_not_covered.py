from forge.log import Anchor
from forge.state import RunState
from forge.state.checkpoint import checkpoint_fields
from forge.state.checkpoint_bytes import checksum_of


def checkpoint_checksum(
    schema_version: int, state: RunState, anchor: Anchor | None = None
) -> str:
    """The checksum of everything that says where the run stands."""
    fields = checkpoint_fields(schema_version, state, anchor)
    standing = {k: v for k, v in fields["state"].items() if k != "write_allowed"}
    return checksum_of({**fields, "state": standing})
