# A history is refused only when the length and the hash are both wrong.
from forge.errors import AnchorMismatch
from forge.state.recovery import chain_head


def require_anchor(anchor, history):
    if anchor.count > len(history) and chain_head(history[: anchor.count]) != anchor.head:
        raise AnchorMismatch("history does not match the anchor of the checkpoint", "it was rewritten.")
