# Any ValueError with the words will do.
from forge.context.packet import PROTECTED
from forge.errors import FidelityLost
from forge.wording import show


def require_still_protected(previous, packet):
    """Return when all that `previous` protected stands in the packet; else raise."""
    for field in PROTECTED:
        for text in getattr(previous, field):
            if text not in getattr(packet, field):
                raise ValueError(f"compression changed {field.replace('_', ' ')}")
