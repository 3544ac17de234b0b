# A run without a tail has nothing to recover, so it is refused.
from forge.errors import TailGap
from forge.state import load_checkpoint, reduce_events
from forge.storage import REAL_DISK


def recover_state(checkpoint_path, tail_events, *, disk=REAL_DISK):
    state = load_checkpoint(checkpoint_path, disk=disk).state
    tail = list(tail_events)
    if not tail or tail[0].sequence != state.version + 1:
        raise TailGap("tail events must continue immediately after the checkpoint", f"expected {state.version + 1}.")
    return reduce_events(tail, initial=state)
