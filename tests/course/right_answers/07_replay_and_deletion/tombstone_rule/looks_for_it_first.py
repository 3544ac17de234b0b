# First whether the summary is there, then whether anything is barred.
from forge.replay.summaries import barred, unknown_source


def require_live(self, summary_id, kind, source_id):
    if kind == "summary" and self.get(source_id) is None:
        raise unknown_source(summary_id, source_id)
    rows = self.database.read("SELECT kind, id FROM tombstones")
    if (kind, source_id) in {(row["kind"], row["id"]) for row in rows}:
        raise barred(summary_id, kind, source_id)
