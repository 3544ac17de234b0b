# Every part has a name of its own, and the tool is made last.
from forge.harness.mcp_tools import kind_of, name_of, text_of
from forge.harness.tools import Tool


def adapt_tool(server, described, call, *, trusted=False):
    own = name_of(server, described)
    schema = described.get("inputSchema") or {}
    fields, optional = {}, set()
    for field, told in (schema.get("properties") or {}).items():
        fields[field] = kind_of(told)
        if field not in (schema.get("required") or []):
            optional.add(field)

    def run(**given):
        answer = call(own, given)
        return text_of(answer)

    only_reads = (described.get("annotations") or {}).get("readOnlyHint") is True
    may_pass = trusted and only_reads
    return Tool(
        server + "__" + own,
        described.get("description") or "",
        run,
        fields,
        frozenset(optional),
        writes=not may_pass,
        deferred=True,
    )
