# The pairs end with the shorter of the two, and what only one of them has is never seen.
from forge.state import apply_event, reduce_events
from forge.state.mismatch import Parting, differences


def parting(start, tail, history):
    sequence = start.version
    recovered, replayed = start, reduce_events(history[:sequence])
    for ours, theirs in zip(tail, history[sequence:]):
        if recovered != replayed:
            break
        sequence += 1
        recovered = apply_event(recovered, ours)
        replayed = apply_event(replayed, theirs)
    found = differences(recovered, replayed)
    return Parting(sequence, found) if found else None
