# A number goes up, and each way takes its event as long as it has one.
from forge.state import apply_event, reduce_events
from forge.state.mismatch import Parting, differences


def parting(start, tail, history):
    sequence = start.version
    recovered, replayed = start, reduce_events(history[:sequence])
    ours, theirs = list(tail), list(history[sequence:])
    while recovered == replayed and (ours or theirs):
        sequence += 1
        if ours:
            recovered = apply_event(recovered, ours.pop(0))
        if theirs:
            replayed = apply_event(replayed, theirs.pop(0))
    found = differences(recovered, replayed)
    return Parting(sequence, found) if found else None
