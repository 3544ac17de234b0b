from pathlib import Path

from forge.chain import parse
from forge.errors import InvalidValue
from forge.state import CheckpointEnvelope, RunState
from forge.state.checkpoint_bytes import no_state


def read_envelope(data: bytes, path: Path) -> CheckpointEnvelope:
    """The envelope in the bytes; values of an unknown kind are kept as they are."""
    try:
        return CheckpointEnvelope.model_validate_json(data)
    except InvalidValue:
        fields = dict(parse(data))
        state = RunState.model_construct(**fields["state"])
        return CheckpointEnvelope.model_construct(**{**fields, "state": state})
