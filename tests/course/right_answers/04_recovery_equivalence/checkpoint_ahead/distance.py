# A checkpoint is behind the end of the log by some events or by none.
from forge.errors import CheckpointAhead


def require_not_ahead(state, count):
    if count - state.version < 0:
        raise CheckpointAhead("checkpoint is ahead of the log", f"after event {state.version}, the log ends with {count}.")
