# A tool that writes and remembers nothing is settled first.
from forge.harness.deferred import EXECUTE
from forge.harness.messages import ToolResultBlock
from forge.harness.tools import failed


def settle(call, registry):
    name = call.input.get("name") if call.name == EXECUTE else call.name
    tool = registry.get(name) if isinstance(name, str) else None
    if tool is None or (tool.outcome is None and tool.writes):
        return failed(call, "outcome unknown: nobody knows what came of it. Look first.")
    if tool.outcome is None:
        return failed(call, "stopped before its result was kept. It only reads: call it again.")
    known = tool.outcome(call.id)
    if known is None:
        return failed(call, "stopped before it took effect. Call it again if it is still wanted.")
    return ToolResultBlock(tool_use_id=call.id, content=known)
