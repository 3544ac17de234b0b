# As the notebook's solved edition has it.
from datetime import UTC, datetime, timedelta

from forge.chain import refuse
from forge.instants import EPOCH
from forge.wording import show


def instant(when=None):
    """The whole microseconds from 1970 to `when`, in UTC; None is this moment."""
    if when is None:
        when = datetime.now(UTC)
    if not isinstance(when, datetime) or when.utcoffset() is None:
        refuse("a moment", "a time with its UTC offset", show(when))
    return (when - EPOCH) // timedelta(microseconds=1)
