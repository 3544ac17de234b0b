# The error is made by hand, with the place that was found and the fields in it.
from forge.errors import RecoveryMismatch
from forge.state import load_checkpoint, recover_state, reduce_events
from forge.state.mismatch import differences, parting
from forge.state.recovery import require_same_history
from forge.storage import REAL_DISK


def verify_recovery_equivalent(checkpoint_path, tail_events, full_history, *, disk=REAL_DISK):
    tail, history = list(tail_events), list(full_history)
    replayed = reduce_events(history)
    checkpoint = load_checkpoint(checkpoint_path, disk=disk)
    require_same_history(checkpoint, history)
    recovered = recover_state(checkpoint_path, tail, disk=disk)
    if differences(recovered, replayed):
        where = parting(checkpoint.state, tail, history)
        told = "; ".join(str(difference) for difference in where.differences)
        raise RecoveryMismatch(
            "recovery differs from full event replay",
            f"after event {where.sequence}: {told}.",
            sequence=where.sequence,
            differences=where.differences,
        )
    return recovered
