# Refused with the file, the field and what to do.
from pathlib import Path

from forge.errors import InvalidValue
from forge.state import CheckpointEnvelope
from forge.state.checkpoint_bytes import no_state


def read_envelope(data: bytes, path: Path) -> CheckpointEnvelope:
    try:
        return CheckpointEnvelope.model_validate_json(data)
    except InvalidValue as error:
        raise no_state(f"{path.name}: {error}", path) from error
