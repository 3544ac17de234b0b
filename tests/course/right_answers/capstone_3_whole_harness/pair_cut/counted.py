# The waiting calls are kept as a list, and a place is made when it is empty.
from forge.errors import CompactionRefused


def unit_starts(messages):
    starts, waiting = [], []
    for place, message in enumerate(messages):
        if len(waiting) == 0:
            starts.append(place)
        for result in message.tool_results:
            if result.tool_use_id not in waiting:
                raise CompactionRefused("a call and its result are separated", f"message {place + 1}.")
            waiting.remove(result.tool_use_id)
        waiting.extend(call.id for call in message.tool_uses)
    return starts
