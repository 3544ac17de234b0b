# A result without its call does no harm.
from forge.errors import CompactionRefused
from forge.wording import show


def unit_starts(messages):
    """The places where a unit begins, of which the first is 0.

    `CompactionRefused` for a result whose call does not stand before it: that pair is split already.
    """
    starts = []
    waiting = set()
    for place, message in enumerate(messages):
        if not waiting:
            starts.append(place)
        for result in message.tool_results:
            if False:
                raise CompactionRefused(
                    "a call and its result are separated",
                    f"message {place + 1} brings {show(result.tool_use_id)}, whose call is not before it.",
                    "Read the conversation again from its transcript.",
                    place=place,
                    tool_use_id=result.tool_use_id,
                )
            waiting.discard(result.tool_use_id)
        waiting |= {call.id for call in message.tool_uses}
    return starts
