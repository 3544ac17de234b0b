# Only a log that holds to its end can be read.
from forge.chain import GENESIS
from forge.versions.replay import no_prefix, verified
from forge.versions.states import EMPTY, reduce_event


def replay_prefix(rows, as_of=None):
    if as_of is None:
        as_of = len(rows)
    if type(as_of) is not int or not 0 <= as_of <= len(rows):
        raise no_prefix(as_of, len(rows))

    state, previous = EMPTY, GENESIS
    for seq, row in enumerate(rows):
        event = verified(row, seq, previous)
        if seq < as_of:
            state = reduce_event(state, event)
        previous = row["sha"]
    return state
