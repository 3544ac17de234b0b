# A prefix that is not there is a wrong value.
from forge.chain import GENESIS
from forge.versions.replay import verified
from forge.versions.states import EMPTY, reduce_event


def replay_prefix(rows, as_of=None):
    if as_of is None:
        as_of = len(rows)
    if type(as_of) is not int or not 0 <= as_of <= len(rows):
        raise IndexError("historical prefix")
    state, previous = EMPTY, GENESIS
    for seq, row in enumerate(rows[:as_of]):
        state = reduce_event(state, verified(row, seq, previous))
        previous = row["sha"]
    return state
