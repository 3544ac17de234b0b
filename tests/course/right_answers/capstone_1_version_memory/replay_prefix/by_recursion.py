# The state after n rows is the state after n - 1, and one more.
from functools import reduce

from forge.chain import GENESIS
from forge.versions.replay import no_prefix, verified
from forge.versions.states import EMPTY, reduce_event


def replay_prefix(rows, as_of=None):
    as_of = len(rows) if as_of is None else as_of
    if type(as_of) is not int or as_of not in range(len(rows) + 1):
        raise no_prefix(as_of, len(rows))

    def step(place, numbered):
        state, previous = place
        seq, row = numbered
        return reduce_event(state, verified(row, seq, previous)), row["sha"]

    return reduce(step, enumerate(rows[:as_of]), (EMPTY, GENESIS))[0]
