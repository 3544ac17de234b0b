# The ids of that kind are collected and asked.
from forge.replay.summaries import barred, unknown_source


def require_live(self, summary_id, kind, source_id):
    rows = self.database.read("SELECT id FROM tombstones WHERE kind = ?", (kind,))
    match kind, source_id in {row[0] for row in rows}, self.get(source_id):
        case _, True, _:
            raise barred(summary_id, kind, source_id)
        case "summary", _, None:
            raise unknown_source(summary_id, source_id)
