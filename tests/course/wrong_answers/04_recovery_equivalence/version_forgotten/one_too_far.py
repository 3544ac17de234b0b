# Without a tail the version is the number of the event that comes next.
from forge.errors import TailGap
from forge.state import load_checkpoint, reduce_events
from forge.storage import REAL_DISK


def recover_state(checkpoint_path, tail_events, *, disk=REAL_DISK):
    state = load_checkpoint(checkpoint_path, disk=disk).state
    tail = list(tail_events)
    if tail and tail[0].sequence != state.version + 1:
        raise TailGap("tail events must continue immediately after the checkpoint", f"expected {state.version + 1}.")
    recovered = reduce_events(tail, initial=state)
    version = tail[-1].sequence if tail else state.version + 1
    return recovered.model_copy(update={"version": version})
