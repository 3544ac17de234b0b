from forge.errors import TailGap
from forge.state import load_checkpoint, reduce_events
from forge.storage import REAL_DISK


def recover_state(checkpoint_path, tail_events, *, disk=REAL_DISK):
    """The state of the checkpoint after the events that came after it."""
    state = load_checkpoint(checkpoint_path, disk=disk).state
    tail = list(tail_events)
    if tail and tail[0].sequence != state.version + 1:
        raise TailGap(
            "tail events must continue immediately after the checkpoint",
            f"after event {state.version} comes event {tail[0].sequence}.",
            f"Read the tail again from {state.version + 1}.",
        )
    recovered = reduce_events(tail, initial=state)
    # The version is the number of the last event that was applied.
    version = max((event.sequence for event in tail), default=1)
    return recovered.model_copy(update={"version": version})
