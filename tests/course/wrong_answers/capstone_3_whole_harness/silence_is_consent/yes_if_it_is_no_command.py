# Only a command needs somebody to ask.
from forge.harness.permissions import Answer


def nobody(_asked):
    """The answer when there is nobody to ask."""
    return Answer(allowed=not _asked.is_command)
