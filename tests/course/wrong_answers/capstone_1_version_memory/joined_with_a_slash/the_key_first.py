# With the key first the two examples differ.
def identity_of(scope, key):
    return f"{key}/{scope}"
