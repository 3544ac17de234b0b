# The events are counted from the checkpoint on, and the number of it is forgotten.
from itertools import zip_longest

from forge.state import apply_event, reduce_events
from forge.state.mismatch import Parting, differences


def parting(start, tail, history):
    sequence = start.version
    recovered, replayed = start, reduce_events(history[:sequence])
    sequence = 0
    for ours, theirs in zip_longest(tail, history[start.version :]):
        if recovered != replayed:
            break
        sequence += 1
        recovered = apply_event(recovered, ours) if ours else recovered
        replayed = apply_event(replayed, theirs) if theirs else replayed
    found = differences(recovered, replayed)
    return Parting(sequence, found) if found else None
