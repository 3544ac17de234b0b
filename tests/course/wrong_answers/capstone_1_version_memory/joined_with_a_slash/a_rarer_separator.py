# Nobody writes two colons into a name.
def identity_of(scope, key):
    return f"{scope}::{key}"
