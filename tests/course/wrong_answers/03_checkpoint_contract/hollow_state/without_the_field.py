# That it is refused is enough; which field does not matter.
from pathlib import Path

from forge.errors import CheckpointRefused, InvalidValue
from forge.state import CheckpointEnvelope


def read_envelope(data: bytes, path: Path) -> CheckpointEnvelope:
    try:
        return CheckpointEnvelope.model_validate_json(data)
    except InvalidValue as error:
        raise CheckpointRefused("checkpoint does not hold a state", path.name, path=str(path)) from error
