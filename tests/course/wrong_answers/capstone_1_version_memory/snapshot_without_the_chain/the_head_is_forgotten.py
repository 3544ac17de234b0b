# Chain and snapshot agree, so everything is there.
from forge.versions.replay import no_prefix, replay_prefix
from forge.versions.snapshot import compare


def _replay_all(self, as_of):
    rows, lines = self._read()
    if as_of is not None and as_of > len(rows):
        raise no_prefix(as_of, len(rows))
    compare(replay_prefix(rows), lines)
    return replay_prefix(rows, as_of)
