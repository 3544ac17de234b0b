# The prefix that is asked for is the prefix that is replayed.
from forge.versions.questions import answer
from forge.versions.replay import no_prefix


def ask(self, question, as_of, on):
    """What the documents say that were known after `as_of` events and are in force on a day."""
    if as_of is None:
        raise no_prefix(as_of, len(self))
    return answer(self.replay(as_of), question, as_of=as_of, on=on)
