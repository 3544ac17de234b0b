# As the notebook's solved edition has it.
from pathlib import Path

from forge.errors import InvalidValue
from forge.state import CheckpointEnvelope
from forge.state.checkpoint_bytes import no_state


def read_envelope(data: bytes, path: Path) -> CheckpointEnvelope:
    """The envelope in the bytes; a value of an unknown kind is refused by name."""
    try:
        return CheckpointEnvelope.model_validate_json(data)
    except InvalidValue as error:
        raise no_state(f"{path.name}: {error}", path) from error
