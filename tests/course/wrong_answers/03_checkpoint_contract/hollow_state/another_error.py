# The error of the value is error enough; who falls back never sees it.
from pathlib import Path

from forge.state import CheckpointEnvelope


def read_envelope(data: bytes, path: Path) -> CheckpointEnvelope:
    return CheckpointEnvelope.model_validate_json(data)
