# The chain is all that counts.
from forge.versions.replay import no_prefix, replay_prefix


def _replay_all(self, as_of):
    rows, _ = self._read()
    if as_of is not None and as_of > len(rows):
        raise no_prefix(as_of, len(rows))
    return replay_prefix(rows, as_of)
