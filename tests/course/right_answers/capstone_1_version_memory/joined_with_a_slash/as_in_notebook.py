# An array says where the one text ends and the other begins.
from forge.versions.digests import canonical


def identity_of(scope, key):
    """What a memory is kept under."""
    return canonical([scope, key])
