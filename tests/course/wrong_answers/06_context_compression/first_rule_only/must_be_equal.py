# The packet must hold the same texts as before and no others, and the words are made up.
from forge.context.packet import PROTECTED
from forge.errors import FidelityLost


def require_still_protected(previous, packet):
    for field in PROTECTED:
        if getattr(previous, field) != getattr(packet, field):
            raise ValueError("the packet differs")
