from forge.errors import CompactionRefused


def unit_starts(messages):
    """The places where a unit begins, of which the first is 0."""
    starts = []
    called = set()
    for place, message in enumerate(messages):
        starts.append(place)
        for result in message.tool_results:
            if result.tool_use_id not in called:
                raise CompactionRefused(
                    "a call and its result are separated",
                    f"message {place + 1} brings {result.tool_use_id}, whose call is not before it.",
                )
        called |= {call.id for call in message.tool_uses}
    return starts
