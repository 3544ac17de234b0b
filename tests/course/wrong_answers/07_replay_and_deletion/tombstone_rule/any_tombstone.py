# Where there are tombstones, something was deleted.
from forge.replay.summaries import barred, unknown_source


def require_live(self, summary_id, kind, source_id):
    if self.database.read("SELECT 1 FROM tombstones"):
        raise barred(summary_id, kind, source_id)
    if kind == "summary" and self.get(source_id) is None:
        raise unknown_source(summary_id, source_id)
