# To come to UTC the offset is added.
from datetime import UTC, datetime, timedelta

from forge.chain import refuse
from forge.instants import EPOCH
from forge.wording import show


def instant(when=None):
    if when is None:
        when = datetime.now(UTC)
    if not isinstance(when, datetime) or when.utcoffset() is None:
        refuse("a moment", "a time with its UTC offset", show(when))
    wall = when.replace(tzinfo=UTC) + when.utcoffset()
    return (wall - EPOCH) // timedelta(microseconds=1)
