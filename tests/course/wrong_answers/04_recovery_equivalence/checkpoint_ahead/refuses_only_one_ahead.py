# Only a checkpoint that is ahead by exactly one event is refused.
from forge.errors import CheckpointAhead


def require_not_ahead(state, count):
    if state.version == count + 1:
        raise CheckpointAhead("checkpoint is ahead of the log", f"after event {state.version}, the log ends with {count}.")
