# A loop over every text of every field.
from forge.context.packet import PROTECTED
from forge.errors import FidelityLost


def require_still_protected(previous, packet):
    for field in PROTECTED:
        for text in getattr(previous, field):
            if text not in getattr(packet, field):
                raise FidelityLost(f"compression changed {field.replace('_', ' ')}", "a protected text is not in the packet.")
