# The first and the last text of a field are looked at, and none between them or of the kind that comes second to last.
from forge.context.packet import PROTECTED
from forge.errors import FidelityLost


def require_still_protected(previous, packet):
    for field in PROTECTED:
        texts = getattr(previous, field)
        for text in texts[:1] + texts[2:]:
            if text not in getattr(packet, field):
                raise FidelityLost(f"compression changed {field.replace('_', ' ')}", "a protected text is not in the packet.")
