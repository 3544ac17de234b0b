# What cannot be read is None.
from pathlib import Path

from forge.errors import InvalidValue
from forge.state import CheckpointEnvelope


def read_envelope(data: bytes, path: Path) -> CheckpointEnvelope:
    try:
        return CheckpointEnvelope.model_validate_json(data)
    except InvalidValue:
        return None
