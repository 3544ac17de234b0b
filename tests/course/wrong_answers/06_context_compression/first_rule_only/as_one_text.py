# The beginning of a longer text counts as the text.
from forge.context.packet import PROTECTED
from forge.errors import FidelityLost
from forge.wording import show


def require_still_protected(previous, packet):
    """Return when all that `previous` protected stands in the packet; else raise."""
    for field in PROTECTED:
        text = "; ".join(getattr(packet, field))
        for t in getattr(previous, field):
          if t not in text:
            raise FidelityLost(f"compression changed {field.replace('_', ' ')}", f"{t} was protected.", "Carry it over.")
