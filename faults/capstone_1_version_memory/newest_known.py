from forge.versions.replay import no_prefix


def replay(self, as_of=None):
    """The state after the first `as_of` events: the newest that is known of them."""
    if as_of is not None and (type(as_of) is not int or not 0 <= as_of <= len(self.rows())):
        raise no_prefix(as_of, len(self.rows()))
    return self._replay_all(None)
