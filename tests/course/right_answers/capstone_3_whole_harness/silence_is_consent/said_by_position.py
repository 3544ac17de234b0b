# The answer is a plain no, without a pattern.
from forge.harness.permissions import Answer


def nobody(_asked):
    return Answer(False, None)
