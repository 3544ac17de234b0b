# The real function, with what it needs.
from forge.harness.permissions import Answer


def nobody(_asked):
    """The answer when there is nobody to ask."""
    return Answer(allowed=False)
