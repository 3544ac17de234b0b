# The hash is taken over one event less than the anchor counts.
from forge.errors import AnchorMismatch
from forge.state.recovery import chain_head


def require_anchor(anchor, history):
    if anchor.count > len(history) or chain_head(history[: anchor.count - 1]) != anchor.head:
        raise AnchorMismatch("history does not match the anchor of the checkpoint", "it was rewritten.")
