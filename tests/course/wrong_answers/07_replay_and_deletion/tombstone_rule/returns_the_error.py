# The caller gets the error and can decide what to do with it.
from forge.replay.summaries import barred, unknown_source


def require_live(self, summary_id, kind, source_id):
    found = self.database.read("SELECT 1 FROM tombstones WHERE kind = ? AND id = ?", (kind, source_id))
    if found:
        return barred(summary_id, kind, source_id)
    if kind == "summary" and self.get(source_id) is None:
        return unknown_source(summary_id, source_id)
    return None
