# Every source has to be in the cache.
from forge.replay.summaries import barred, unknown_source


def require_live(self, summary_id, kind, source_id):
    found = self.database.read("SELECT 1 FROM tombstones WHERE kind = ? AND id = ?", (kind, source_id))
    if found:
        raise barred(summary_id, kind, source_id)
    if self.get(source_id) is None:
        raise unknown_source(summary_id, source_id)
