# The digest covers what was before and what happens now.
import json

from forge.errors import ContractError
from forge.versions.digests import canonical, sha
from forge.versions.replay import no_prefix
from forge.versions.states import EMPTY, reduce_event


def replay_prefix(rows, as_of=None):
    if as_of is None:
        as_of = len(rows)
    if type(as_of) is not int or not 0 <= as_of <= len(rows):
        raise no_prefix(as_of, len(rows))
    state, previous = EMPTY, "0" * 64
    for row in rows[:as_of]:
        event = json.loads(row["payload"])
        if row["sha"] != sha(canonical({"previous": previous, "event": event})):
            raise ContractError("event chain corrupted", "a row.")
        state, previous = reduce_event(state, event), row["sha"]
    return state
