# A checkpoint must be from after the last event of the log, or it does not belong to it.
from forge.errors import CheckpointAhead


def require_not_ahead(state, count):
    if state.version != count:
        raise CheckpointAhead("checkpoint is ahead of the log", f"after event {state.version}, the log ends with {count}.")
