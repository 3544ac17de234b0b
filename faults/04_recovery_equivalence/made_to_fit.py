from forge.state import load_checkpoint, reduce_events
from forge.storage import REAL_DISK


def recover_state(checkpoint_path, tail_events, *, disk=REAL_DISK):
    """The state of the checkpoint after the tail, wherever that begins."""
    state = load_checkpoint(checkpoint_path, disk=disk).state
    tail = list(tail_events)
    if tail and tail[0].sequence > 1:
        # The reducer wants to be just before the first event of the tail.
        state = state.model_copy(update={"version": tail[0].sequence - 1})
    return reduce_events(tail, initial=state)
