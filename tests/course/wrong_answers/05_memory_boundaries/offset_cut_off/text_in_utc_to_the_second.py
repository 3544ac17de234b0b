# In UTC the text may be cut after its seconds.
from datetime import UTC, datetime, timedelta

from forge.chain import refuse
from forge.instants import EPOCH
from forge.wording import show


def instant(when=None):
    if when is None:
        when = datetime.now(UTC)
    if not isinstance(when, datetime) or when.utcoffset() is None:
        refuse("a moment", "a time with its UTC offset", show(when))
    text = when.astimezone(UTC).isoformat()[:19]
    when = datetime.fromisoformat(text).replace(tzinfo=UTC)
    return (when - EPOCH) // timedelta(microseconds=1)
