# The rows of the prefix give the state, without any shortcut.
from forge.versions.questions import answer
from forge.versions.replay import no_prefix, replay_prefix


def ask(self, question, as_of, on):
    if as_of is None:
        raise no_prefix(as_of, len(self))
    state = replay_prefix(self.rows(), as_of)
    return answer(state, question, as_of=as_of, on=on)
