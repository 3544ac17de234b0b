# The end that is known is looked for among the digests.
from forge.chain import GENESIS
from forge.versions.replay import no_prefix, replay_prefix
from forge.versions.repository import lost_end
from forge.versions.snapshot import compare


def _replay_all(self, as_of):
    rows, lines = self._read()
    count = len(rows) if as_of is None else as_of
    if count > len(rows):
        raise no_prefix(as_of, len(rows))
    digests = [GENESIS, *(row["sha"] for row in rows)]
    if digests[self._head.count : self._head.count + 1] != [self._head.sha]:
        replay_prefix(rows)
        raise lost_end(self._head, len(rows))
    compare(replay_prefix(rows), lines)
    return replay_prefix(rows, count)
