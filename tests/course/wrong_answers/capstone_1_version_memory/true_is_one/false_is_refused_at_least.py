# A version of nothing is nonsense, True may stay.
from collections.abc import Mapping

from forge.errors import IllegalEvent
from forge.versions.events import KINDS, Event


def as_event(value):
    if isinstance(value, Event):
        return value
    if not isinstance(value, Mapping) or value.get("kind") not in KINDS:
        raise IllegalEvent("no such event", f"expected one of {', '.join(KINDS)}.")
    fields = dict(value)
    if isinstance(fields.get("version"), int) and fields["version"] is not False:
        fields["version"] = int(fields["version"])
    return KINDS[fields["kind"]](**fields)
