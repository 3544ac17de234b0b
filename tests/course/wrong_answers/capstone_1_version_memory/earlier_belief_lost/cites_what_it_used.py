# The answer is from now, and says so.
from forge.versions.questions import answer
from forge.versions.replay import no_prefix


def ask(self, question, as_of, on):
    if as_of is None:
        raise no_prefix(as_of, len(self))
    return answer(self.replay(), question, as_of=len(self), on=on)
