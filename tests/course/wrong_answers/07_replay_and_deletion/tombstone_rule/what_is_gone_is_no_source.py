# A deleted summary is gone, so looking for it is enough.
from forge.replay.summaries import barred, unknown_source


def require_live(self, summary_id, kind, source_id):
    tombstone = "SELECT 1 FROM tombstones WHERE kind = 'memory' AND id = ?"
    if kind == "memory" and self.database.read(tombstone, (source_id,)):
        raise barred(summary_id, kind, source_id)
    if kind == "summary" and self.get(source_id) is None:
        raise unknown_source(summary_id, source_id)
