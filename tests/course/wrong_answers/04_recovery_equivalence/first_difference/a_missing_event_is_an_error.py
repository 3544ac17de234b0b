# A tail that has ended raises, although that is what was to be found.
from itertools import zip_longest

from forge.state import apply_event, reduce_events
from forge.state.mismatch import Parting, differences


def parting(start, tail, history):
    sequence = start.version
    recovered, replayed = start, reduce_events(history[:sequence])
    for ours, theirs in zip_longest(tail, history[sequence:]):
        if recovered != replayed:
            break
        sequence += 1
        recovered, replayed = apply_event(recovered, ours), apply_event(replayed, theirs)
    found = differences(recovered, replayed)
    return Parting(sequence, found) if found else None
