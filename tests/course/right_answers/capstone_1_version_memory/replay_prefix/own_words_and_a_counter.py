# A loop over the numbers, with an error of its own.
from forge.errors import ContractError
from forge.versions.replay import verified
from forge.versions.states import reduce_event


def replay_prefix(rows, as_of=None):
    count = len(rows) if as_of is None else as_of
    if isinstance(count, bool) or not isinstance(count, int) or count < 0 or count > len(rows):
        raise ContractError("historical prefix", f"there are {len(rows)} rows, as_of is {count!r}.")
    state, previous = {"documents": {}, "memories": {}}, "0" * 64
    for seq in range(count):
        state = reduce_event(state, verified(rows[seq], seq, previous))
        previous = rows[seq]["sha"]
    return state
