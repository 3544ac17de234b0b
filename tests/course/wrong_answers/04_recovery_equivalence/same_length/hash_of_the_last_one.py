# Only the last event that the anchor remembers is hashed, as if none stood before it.
from forge.errors import AnchorMismatch
from forge.state.recovery import chain_head


def require_anchor(anchor, history):
    if anchor.count > len(history) or chain_head(history[anchor.count - 1 : anchor.count]) != anchor.head:
        raise AnchorMismatch("history does not match the anchor of the checkpoint", "it was rewritten.")
