# The check of a row stands here too, as the issue of trust it is.
import json

from forge.errors import ContractError
from forge.versions.digests import canonical, sha
from forge.versions.states import EMPTY, reduce_event


def replay_prefix(rows, as_of=None):
    if as_of is None:
        as_of = len(rows)
    if type(as_of) is not int or not 0 <= as_of <= len(rows):
        raise ContractError("historical prefix", f"0 to {len(rows)}.")
    state, previous = EMPTY, "0" * 64
    for seq, row in enumerate(rows[:as_of]):
        try:
            event = json.loads(row["payload"])
        except ValueError:
            raise ContractError("event chain corrupted", f"row {seq}.") from None
        digest = sha(canonical({"seq": seq, "previous": previous, "event": event}))
        stored = (type(row["seq"]), row["seq"], row["previous"], row["sha"], row["payload"])
        if stored != (int, seq, previous, digest, canonical(event)):
            raise ContractError("event chain corrupted", f"row {seq}.")
        state, previous = reduce_event(state, event), digest
    return state
