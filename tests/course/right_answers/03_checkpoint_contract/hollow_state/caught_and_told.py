# The error is kept for later, and told after the try.
from pathlib import Path

from forge.errors import CheckpointRefused, InvalidValue
from forge.state import CheckpointEnvelope


def read_envelope(data: bytes, path: Path) -> CheckpointEnvelope:
    try:
        return CheckpointEnvelope.model_validate_json(data)
    except InvalidValue as refused:
        problem = refused
    raise CheckpointRefused(
        "checkpoint cannot be read", f"{path.name}: {problem}", "Use an earlier one.", path=str(path)
    )
