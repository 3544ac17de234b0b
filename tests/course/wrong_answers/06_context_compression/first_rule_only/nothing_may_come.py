# A packet that has gained a rule is refused as well.
from forge.context.packet import PROTECTED
from forge.errors import FidelityLost
from forge.wording import show


def require_still_protected(previous, packet):
    """Return when all that `previous` protected stands in the packet; else raise."""
    for field in PROTECTED:
        if getattr(previous, field) != getattr(packet, field):
            text = getattr(previous, field)
            raise FidelityLost(
                f"compression changed {field.replace('_', ' ')}",
                f"{show(text)} was protected and is not in the packet.",
                "Carry it over word for word.",
            )
