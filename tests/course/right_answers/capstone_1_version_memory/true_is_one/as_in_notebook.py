# The fields reach the event as they are, and the event checks them.
from collections.abc import Mapping

from forge.errors import IllegalEvent
from forge.versions.events import KINDS, Event


def as_event(value):
    """The event itself, or the one that a mapping describes."""
    if isinstance(value, Event):
        return value
    if not isinstance(value, Mapping) or value.get("kind") not in KINDS:
        raise IllegalEvent("no such event", f"expected one of {', '.join(KINDS)}.")
    return KINDS[value["kind"]](**value)
