# As the notebook's solved edition has it.
from collections.abc import Sequence

from forge.errors import AnchorMismatch
from forge.log import Anchor
from forge.state import RunEvent
from forge.state.recovery import chain_head


def require_anchor(anchor: Anchor, history: Sequence[RunEvent]) -> None:
    """Refuse a history that does not begin with what the anchor remembers."""
    head = chain_head(history[: anchor.count])
    if anchor.count <= len(history) and head == anchor.head:
        return
    raise AnchorMismatch(
        "history does not match the anchor of the checkpoint",
        f"of {anchor.count} events the anchor remembers another hash.",
        "Keep the checkpoint, and take the history from a copy.",
        count=len(history),
        expected=anchor,
        found=head,
    )
