# Both are turned into the time on the clock.
from datetime import UTC, datetime, timedelta

from forge.chain import refuse
from forge.instants import EPOCH
from forge.wording import show


def instant(when=None):
    if when is None:
        when = datetime.now(UTC)
    if not isinstance(when, datetime) or when.utcoffset() is None:
        refuse("a moment", "a time with its UTC offset", show(when))
    return (when.replace(tzinfo=None) - EPOCH.replace(tzinfo=None)) // timedelta(microseconds=1)
