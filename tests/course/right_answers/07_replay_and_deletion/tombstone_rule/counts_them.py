# Tombstones are counted, with the values given by name.
from forge.replay.summaries import barred, unknown_source


def require_live(self, summary_id, kind, source_id):
    sql = "SELECT count(*) FROM tombstones WHERE kind = :kind AND id = :id"
    [[count]] = self.database.read(sql, {"kind": kind, "id": source_id})
    if count:
        raise barred(summary_id, kind, source_id)
    if kind == "memory":
        return
    if self.get(source_id) is None:
        raise unknown_source(summary_id, source_id)
