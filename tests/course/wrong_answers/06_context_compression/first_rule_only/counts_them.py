# As many texts as before is as good as the same ones.
from forge.context.packet import PROTECTED
from forge.errors import FidelityLost
from forge.wording import show


def require_still_protected(previous, packet):
    """Return when all that `previous` protected stands in the packet; else raise."""
    for field in PROTECTED:
        if len(getattr(previous, field)) > len(getattr(packet, field)):
            text = getattr(previous, field)[0]
            raise FidelityLost(
                f"compression changed {field.replace('_', ' ')}",
                f"{show(text)} was protected and is not in the packet.",
                "Carry it over word for word.",
            )
