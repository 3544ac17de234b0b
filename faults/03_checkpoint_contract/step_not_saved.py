from forge.log import Anchor
from forge.state import RunState
from forge.state.checkpoint_bytes import Fields


def checkpoint_fields(
    schema_version: int, state: RunState, anchor: Anchor | None
) -> Fields:
    """What the checksum covers; the step is left out, it changes too often."""
    fields: Fields = {
        "schema_version": schema_version,
        "state": state.model_dump(mode="json", exclude={"current_step"}),
    }
    if anchor is not None:
        fields["anchor"] = anchor.model_dump()
    return fields
