def identity_of(scope, key):
    """What a memory is kept under."""
    return f"{scope}/{key}"
