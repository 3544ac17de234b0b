from forge.errors import CheckpointAhead
from forge.state import RunState


def require_not_ahead(state: RunState, count: int) -> None:
    """Refuse a state that is so far ahead that no event can close the distance."""
    if state.version <= count + 1:
        return
    raise CheckpointAhead(
        "checkpoint is ahead of the log",
        f"it is after event {state.version}, the log ends with event {count}.",
        "Keep both, and replay the whole history.",
        version=state.version,
        count=count,
    )
