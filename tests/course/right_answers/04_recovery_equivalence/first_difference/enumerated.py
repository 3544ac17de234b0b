# The pairs are numbered from the checkpoint on, and the comparison comes last.
from itertools import zip_longest

from forge.state import apply_event, reduce_events
from forge.state.mismatch import Parting, differences


def parting(start, tail, history):
    recovered, replayed = start, reduce_events(history[: start.version])
    if recovered != replayed:
        return Parting(start.version, differences(recovered, replayed))
    rest = zip_longest(tail, history[start.version :])
    for number, (ours, theirs) in enumerate(rest, start.version + 1):
        recovered = apply_event(recovered, ours) if ours is not None else recovered
        replayed = apply_event(replayed, theirs) if theirs is not None else replayed
        if recovered != replayed:
            return Parting(number, differences(recovered, replayed))
    return None
