# An entry always has a description.
from forge.harness.mcp_tools import kind_of, name_of, text_of
from forge.harness.tools import Tool


def adapt_tool(server, described, call, *, trusted=False):
    own = name_of(server, described)
    schema = described.get("inputSchema") or {}
    hints = described.get("annotations") or {}
    parameters = {field: kind_of(told) for field, told in schema.get("properties", {}).items()}
    return Tool(
        name=f"{server}__{own}",
        description=described["description"],
        run=lambda **given: text_of(call(own, given)),
        parameters=parameters,
        optional=frozenset(parameters) - frozenset(schema.get("required", ())),
        writes=not (trusted and hints.get("readOnlyHint") is True),
        deferred=True,
    )
