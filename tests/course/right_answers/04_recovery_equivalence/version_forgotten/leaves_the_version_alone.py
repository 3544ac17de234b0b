# The reducer counts on from the checkpoint, and nobody else touches the number.
from forge.errors import TailGap
from forge.state import load_checkpoint, reduce_events
from forge.storage import REAL_DISK


def recover_state(checkpoint_path, tail_events, *, disk=REAL_DISK):
    state = load_checkpoint(checkpoint_path, disk=disk).state
    tail = list(tail_events)
    if tail and tail[0].sequence != state.version + 1:
        raise TailGap("tail events must continue immediately after the checkpoint", f"expected {state.version + 1}.")
    return reduce_events(tail, initial=state)
