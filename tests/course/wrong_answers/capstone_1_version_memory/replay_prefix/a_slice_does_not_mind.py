# A slice refuses nothing, and takes what is there.
from forge.chain import GENESIS
from forge.versions.replay import no_prefix, verified
from forge.versions.states import EMPTY, reduce_event


def replay_prefix(rows, as_of=None):
    if as_of is None:
        as_of = len(rows)

    state, previous = EMPTY, GENESIS
    for seq, row in enumerate(rows[:as_of]):
        event = verified(row, seq, previous)
        state = reduce_event(state, event)
        previous = row["sha"]
    return state
