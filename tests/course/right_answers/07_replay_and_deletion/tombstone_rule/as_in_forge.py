# The tombstone is asked for with kind and id, then the summary is looked for.
from forge.replay.summaries import barred, unknown_source


def require_live(self, summary_id, kind, source_id):
    if self.database.read("SELECT 1 FROM tombstones WHERE kind = ? AND id = ?", (kind, source_id)):
        raise barred(summary_id, kind, source_id)
    if kind == "summary" and self.get(source_id) is None:
        raise unknown_source(summary_id, source_id)
