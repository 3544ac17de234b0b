# A truth value is a whole number, says isinstance.
from forge.chain import GENESIS
from forge.versions.replay import no_prefix, verified
from forge.versions.states import EMPTY, reduce_event


def replay_prefix(rows, as_of=None):
    if as_of is None:
        as_of = len(rows)
    if not isinstance(as_of, int) or not 0 <= as_of <= len(rows):
        raise no_prefix(as_of, len(rows))

    state, previous = EMPTY, GENESIS
    for seq, row in enumerate(rows[:as_of]):
        event = verified(row, seq, previous)
        state = reduce_event(state, event)
        previous = row["sha"]
    return state
