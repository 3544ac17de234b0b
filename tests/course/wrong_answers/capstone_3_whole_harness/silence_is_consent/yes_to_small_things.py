# Nobody minds a file of notes.
from forge.harness.permissions import Answer


def nobody(_asked):
    """The answer when there is nobody to ask."""
    return Answer(allowed=_asked.subject.endswith(".txt"))
