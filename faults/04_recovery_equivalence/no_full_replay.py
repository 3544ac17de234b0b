from forge.state import load_checkpoint, recover_state
from forge.state.recovery import require_same_history
from forge.storage import REAL_DISK


def verify_recovery_equivalent(
    checkpoint_path,
    tail_events,
    full_history,
    *,
    disk=REAL_DISK,
):
    """The recovered state."""
    tail, history = list(tail_events), list(full_history)
    checkpoint = load_checkpoint(checkpoint_path, disk=disk)
    require_same_history(checkpoint, history)
    return recover_state(checkpoint_path, tail, disk=disk)
