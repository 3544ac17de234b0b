# The reducer refuses a gap anyway, in words that say nothing of the checkpoint.
from forge.state import load_checkpoint, reduce_events
from forge.storage import REAL_DISK


def recover_state(checkpoint_path, tail_events, *, disk=REAL_DISK):
    state = load_checkpoint(checkpoint_path, disk=disk).state
    tail = list(tail_events)
    return reduce_events(tail, initial=state)
