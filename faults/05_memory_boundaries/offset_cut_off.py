from datetime import UTC, datetime, timedelta

from forge.chain import refuse
from forge.instants import EPOCH
from forge.wording import show


def instant(when=None):
    """The whole microseconds from 1970 to `when`; None is this moment."""
    if when is None:
        when = datetime.now(UTC)
    if not isinstance(when, datetime) or when.utcoffset() is None:
        refuse("a moment", "a time with its UTC offset", show(when))
    text = when.isoformat()[:19]  # as far as the seconds: now all of them compare
    when = datetime.fromisoformat(text).replace(tzinfo=UTC)
    return (when - EPOCH) // timedelta(microseconds=1)
