from collections.abc import Sequence

from forge.errors import AnchorMismatch
from forge.log import Anchor
from forge.state import RunEvent


def require_anchor(anchor: Anchor, history: Sequence[RunEvent]) -> None:
    """Refuse a history that has fewer events than the anchor remembers."""
    if anchor.count <= len(history):
        return
    raise AnchorMismatch(
        "history does not match the anchor of the checkpoint",
        f"its first {anchor.count} events are not those that the anchor remembers.",
        "Keep the checkpoint, and take the history from a copy.",
        count=len(history),
        expected=anchor,
    )
