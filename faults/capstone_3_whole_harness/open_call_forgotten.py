def open_calls(messages):
    """The calls among the messages that have no result among them."""
    done = {call.id for message in messages for call in message.tool_uses}
    return [call for message in messages for call in message.tool_uses if call.id not in done]
