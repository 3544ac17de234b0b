# The summary that is put is the one that may have been deleted.
from forge.replay.summaries import barred, unknown_source


def require_live(self, summary_id, kind, source_id):
    tombstone = "SELECT 1 FROM tombstones WHERE kind = ? AND id = ?"
    if self.database.read(tombstone, (kind, summary_id)):
        raise barred(summary_id, kind, source_id)
    if kind == "summary" and self.get(source_id) is None:
        raise unknown_source(summary_id, source_id)
