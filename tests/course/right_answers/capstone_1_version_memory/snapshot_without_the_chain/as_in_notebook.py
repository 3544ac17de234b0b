# The rows are replayed, and the snapshot is only compared.
from forge.versions.replay import no_prefix, replay_prefix
from forge.versions.repository import lost_end
from forge.versions.snapshot import compare


def _replay_all(self, as_of):
    """The state after all events, verified, and compared with the snapshot."""
    rows, lines = self._read()
    if as_of is not None and as_of > len(rows):
        raise no_prefix(as_of, len(rows))
    state, head = replay_prefix(rows), self._head
    known = len(rows) >= head.count
    if not known or (head.count and rows[head.count - 1]["sha"] != head.sha):
        raise lost_end(head, len(rows))
    compare(state, lines)
    return replay_prefix(rows, as_of)
