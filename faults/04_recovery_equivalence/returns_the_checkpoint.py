from forge.state import load_checkpoint, recover_state, reduce_events
from forge.state.mismatch import mismatch, parting
from forge.state.recovery import require_same_history
from forge.storage import REAL_DISK


def verify_recovery_equivalent(
    checkpoint_path,
    tail_events,
    full_history,
    *,
    disk=REAL_DISK,
):
    """The state that was compared; the checkpoint's, which is the one that was saved."""
    tail, history = list(tail_events), list(full_history)
    replayed = reduce_events(history)
    checkpoint = load_checkpoint(checkpoint_path, disk=disk)
    require_same_history(checkpoint, history)
    recovered = recover_state(checkpoint_path, tail, disk=disk)
    if recovered != replayed:
        raise mismatch(parting(checkpoint.state, tail, history))
    return checkpoint.state
