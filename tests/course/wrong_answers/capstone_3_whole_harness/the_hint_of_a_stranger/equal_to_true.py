# A hint that equals True is True.
from forge.harness.mcp_tools import kind_of, name_of, text_of
from forge.harness.tools import Tool


def adapt_tool(server, described, call, *, trusted=False):
    """The tool that stands for an entry of `tools/list` of the server, and reaches it by `call`."""
    own = name_of(server, described)
    schema = described.get("inputSchema") or {}
    parameters = {field: kind_of(told) for field, told in schema.get("properties", {}).items()}
    hints = described.get("annotations") or {}
    return Tool(
        name=f"{server}__{own}",
        description=described.get("description") or "",
        run=lambda **given: text_of(call(own, given)),
        parameters=parameters,
        optional=frozenset(parameters) - frozenset(schema.get("required", ())),
        writes=not (trusted and hints.get("readOnlyHint") == True),
        deferred=True,
        schema=described.get("inputSchema"),
    )
