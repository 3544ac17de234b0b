# Where nothing was known yet, today's answer is better than none.
from forge.versions.questions import answer
from forge.versions.replay import no_prefix


def ask(self, question, as_of, on):
    if as_of is None:
        raise no_prefix(as_of, len(self))
    given = answer(self.replay(as_of), question, as_of=as_of, on=on)
    return given if given.citation else answer(self.replay(), question, as_of=as_of, on=on)
