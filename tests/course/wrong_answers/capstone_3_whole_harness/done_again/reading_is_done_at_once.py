# What only reads may be called again, so it is called in the restart.
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
    if tool is not None and not tool.writes:
        return registry.dispatch(call)
    return failed(
        call, "outcome unknown: stopped between the call and its record. Look before you repeat it."
    )
