# As the notebook's solved edition has it.
from forge.context.compression import LEFT_OUT, distinct, newest


def quote_newest(earlier, messages, limit):
    """A summary of an earlier one and the newest messages; how many it covers."""
    said = distinct(earlier.split("\n"))
    old = said[1:] if said[:1] == [LEFT_OUT] else said
    whole = "\n".join(distinct([*old, *messages]))
    if old is said and len(whole) <= limit:
        return whole, len(messages)
    room = limit - len(LEFT_OUT)
    share = min(sum(len(line) + 1 for line in old), room // 3)
    seen = set()
    new, covered = newest(messages, room - share, seen)
    left = room - sum(len(line) + 1 for line in new)
    kept, _ = newest(old, left, seen)
    return "\n".join([LEFT_OUT, *kept, *new]), covered
