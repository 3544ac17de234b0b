# The first events give the head or they do not; a history that is too short does not either.
from forge.errors import AnchorMismatch
from forge.state.recovery import chain_head


def require_anchor(anchor, history):
    if len(history) < anchor.count or chain_head(history[: anchor.count]) != anchor.head:
        raise AnchorMismatch("history does not match the anchor of the checkpoint", "it was rewritten.")
