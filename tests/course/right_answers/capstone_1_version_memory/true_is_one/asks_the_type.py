# A truth value is refused before anything is made a number.
from collections.abc import Mapping

from forge.errors import IllegalEvent
from forge.versions.events import KINDS, Event


def as_event(value):
    if isinstance(value, Event):
        return value
    if not isinstance(value, Mapping) or value.get("kind") not in KINDS:
        raise IllegalEvent("no such event", f"expected one of {', '.join(KINDS)}.")
    if type(value.get("version")) is bool:
        raise IllegalEvent("version was refused", f"expected a whole number, found {value['version']}.")
    return KINDS[value["kind"]](**value)
