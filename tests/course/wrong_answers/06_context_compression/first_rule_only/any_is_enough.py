# A field is kept when one of its texts is there.
from forge.context.packet import PROTECTED
from forge.errors import FidelityLost


def require_still_protected(previous, packet):
    for field in PROTECTED:
        texts = getattr(previous, field)
        if texts and not set(texts) & set(getattr(packet, field)):
            raise FidelityLost(f"compression changed {field.replace('_', ' ')}", "a protected text is not in the packet.")
