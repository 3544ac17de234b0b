# The payload holds the event, so it is read.
import json

from forge.versions.replay import no_prefix
from forge.versions.states import EMPTY, reduce_event


def replay_prefix(rows, as_of=None):
    if as_of is None:
        as_of = len(rows)
    if type(as_of) is not int or not 0 <= as_of <= len(rows):
        raise no_prefix(as_of, len(rows))
    state = EMPTY
    for row in rows[:as_of]:
        state = reduce_event(state, json.loads(row["payload"]))
    return state
