# An error of one's own says the same.
from forge.replay.summaries import barred, unknown_source


def require_live(self, summary_id, kind, source_id):
    found = self.database.read("SELECT 1 FROM tombstones WHERE kind = ? AND id = ?", (kind, source_id))
    if found:
        raise KeyError(source_id)
    if kind == "summary" and self.get(source_id) is None:
        raise KeyError(source_id)
