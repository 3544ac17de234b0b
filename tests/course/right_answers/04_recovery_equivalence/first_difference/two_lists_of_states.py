# All states of both ways are made first, and the first pair that differs is looked for.
from forge.state import reduce_events
from forge.state.mismatch import Parting, differences


def parting(start, tail, history):
    first = start.version
    last = max(first + len(tail), len(history))
    for number in range(first, last + 1):
        replayed = reduce_events(history[: min(number, len(history))])
        recovered = reduce_events(tail[: number - first], initial=start)
        found = differences(recovered, replayed)
        if found:
            return Parting(number, found)
    return None
