# Events that the checkpoint has seen are left out of the tail without a word.
from forge.state import load_checkpoint, reduce_events
from forge.storage import REAL_DISK


def recover_state(checkpoint_path, tail_events, *, disk=REAL_DISK):
    state = load_checkpoint(checkpoint_path, disk=disk).state
    tail = list(tail_events)
    later = [event for event in tail if event.sequence > state.version]
    return reduce_events(later, initial=state)
