# The version must be the number of an event that the log holds.
from forge.errors import CheckpointAhead


def require_not_ahead(state, count):
    if state.version not in range(1, count + 1):
        raise CheckpointAhead("checkpoint is ahead of the log", f"after event {state.version}, the log ends with {count}.")
