# The time on the clock less its offset.
from datetime import UTC, datetime

from forge.chain import refuse
from forge.instants import EPOCH
from forge.wording import show


def instant(when=None):
    if when is None:
        when = datetime.now(UTC)
    if not isinstance(when, datetime) or when.utcoffset() is None:
        refuse("a moment", "a time with its UTC offset", show(when))
    wall = when.replace(tzinfo=UTC) - when.utcoffset()
    past = wall - EPOCH
    return (past.days * 86_400 + past.seconds) * 1_000_000 + past.microseconds
