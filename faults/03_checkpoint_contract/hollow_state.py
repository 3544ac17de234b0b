import json
from pathlib import Path

from forge.errors import InvalidValue
from forge.state import CheckpointEnvelope, RunState


def read_envelope(data: bytes, path: Path) -> CheckpointEnvelope:
    """The envelope in the bytes; values of an unknown kind are kept as they are."""
    try:
        return CheckpointEnvelope.model_validate_json(data)
    except InvalidValue:
        fields = json.loads(data)
        state = RunState.model_construct(**fields["state"])
        return CheckpointEnvelope.model_construct(**{**fields, "state": state})
