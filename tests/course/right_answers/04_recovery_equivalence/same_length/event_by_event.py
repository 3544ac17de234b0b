# The chain is made event by event, and must arrive at the head when the count is reached.
from forge.chain import GENESIS, seal
from forge.errors import AnchorMismatch


def require_anchor(anchor, history):
    head, count = GENESIS, 0
    for event in history[: anchor.count]:
        _, head = seal(event.model_dump(mode="json"), head)
        count += 1
    if (count, head) != (anchor.count, anchor.head):
        raise AnchorMismatch("history does not match the anchor of the checkpoint", "it was rewritten.")
