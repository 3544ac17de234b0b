# What is missing is the difference of two sets.
from forge.context.packet import PROTECTED
from forge.errors import FidelityLost


def require_still_protected(previous, packet):
    for field in PROTECTED:
        if set(getattr(previous, field)) - set(getattr(packet, field)):
            raise FidelityLost(f"compression changed {field.replace('_', ' ')}", "a protected text is not in the packet.")
