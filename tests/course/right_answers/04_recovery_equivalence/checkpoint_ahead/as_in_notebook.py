# As the notebook's solved edition has it.
from forge.errors import CheckpointAhead
from forge.state import RunState


def require_not_ahead(state: RunState, count: int) -> None:
    """Refuse a state that has seen more than the `count` events of the log."""
    if state.version <= count:
        return
    raise CheckpointAhead(
        "checkpoint is ahead of the log",
        f"it is after event {state.version}, the log ends with event {count}.",
        "Keep both, and replay the whole history.",
        version=state.version,
        count=count,
    )
