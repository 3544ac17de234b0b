# An object with two names is even clearer.
from forge.versions.digests import canonical


def identity_of(scope, key):
    return canonical({"scope": scope, "key": key})
