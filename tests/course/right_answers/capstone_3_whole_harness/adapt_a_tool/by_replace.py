# A plain tool first, then its differences by dataclasses.replace.
from dataclasses import replace

from forge.harness.mcp_tools import kind_of, name_of, text_of
from forge.harness.tools import Tool


def adapt_tool(server, described, call, *, trusted=False):
    own = name_of(server, described)
    schema = described.get("inputSchema") or {}
    properties = dict(schema.get("properties") or {})
    tool = Tool(
        "__".join((server, own)),
        described.get("description") or "",
        lambda **given: text_of(call(own, given)),
        writes=True,
        deferred=True,
    )
    if trusted and (described.get("annotations") or {}).get("readOnlyHint") is True:
        tool = replace(tool, writes=False)
    optional = frozenset(name for name in properties if name not in schema.get("required", ()))
    return replace(tool, parameters={n: kind_of(t) for n, t in properties.items()}, optional=optional)
