# Only instructions have to survive.
from forge.context.packet import PROTECTED
from forge.errors import FidelityLost
from forge.wording import show


def require_still_protected(previous, packet):
    """Return when all that `previous` protected stands in the packet; else raise."""
    for field in PROTECTED:
        if field != "instructions":
            continue
        for text in getattr(previous, field):
            if text not in getattr(packet, field):
                raise FidelityLost("compression changed instructions", show(text), "x")
