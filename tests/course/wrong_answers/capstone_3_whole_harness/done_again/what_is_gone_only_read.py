# Only a tool that writes can have done anything, and a tool that is gone does not.
from forge.harness.deferred import EXECUTE
from forge.harness.messages import ToolResultBlock
from forge.harness.tools import failed


def settle(call, registry):
    """What is said of a call whose result is missing; it is not made again."""
    name = call.input.get("name") if call.name == EXECUTE else call.name
    tool = registry.get(name) if isinstance(name, str) else None
    if tool is not None and tool.outcome is not None:
        outcome = tool.outcome(call.id)
        if outcome is not None:
            return ToolResultBlock(tool_use_id=call.id, content=outcome)
        return failed(call, "stopped before it took effect. Call it again if it is still wanted.")
    if tool is None or not tool.writes:
        return failed(call, "stopped before its result was kept. It only reads: call it again.")
    return failed(
        call, "outcome unknown: stopped between the call and its record. Look before you repeat it."
    )
