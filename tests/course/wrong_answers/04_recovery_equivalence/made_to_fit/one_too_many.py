# A tail may begin with the event that the checkpoint has seen last.
from forge.errors import TailGap
from forge.state import load_checkpoint, reduce_events
from forge.storage import REAL_DISK


def recover_state(checkpoint_path, tail_events, *, disk=REAL_DISK):
    state = load_checkpoint(checkpoint_path, disk=disk).state
    tail = list(tail_events)
    if tail and tail[0].sequence not in (state.version, state.version + 1):
        raise TailGap("tail events must continue immediately after the checkpoint", f"expected {state.version + 1}.")
    return reduce_events(tail[-1:] and [e for e in tail if e.sequence > state.version], initial=state)
