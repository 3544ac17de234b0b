# What the reader does not know is left out.
import json
from pathlib import Path

from forge.errors import CheckpointRefused, InvalidValue
from forge.state import CheckpointEnvelope, RunState


def read_envelope(data: bytes, path: Path) -> CheckpointEnvelope:
    fields = json.loads(data)
    known = {key: value for key, value in fields["state"].items() if key in RunState.model_fields}
    try:
        return CheckpointEnvelope.model_validate_json(json.dumps({**fields, "state": known}))
    except InvalidValue as error:
        raise CheckpointRefused("checkpoint does not hold a state", str(error), path=str(path)) from error
