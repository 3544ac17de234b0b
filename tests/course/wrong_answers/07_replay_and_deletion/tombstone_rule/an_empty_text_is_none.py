# An empty summary is not in the cache.
from forge.replay import DerivedSummaryCache
from forge.replay.summaries import barred, unknown_source


def require_live(
    self: DerivedSummaryCache,
    summary_id: str,
    kind: str,
    source_id: str,
) -> None:
    """Refuse a source that is barred, and a summary that is not in the cache."""
    rows = self.database.read("SELECT 1 FROM tombstones WHERE kind = ? AND id = ?", (kind, source_id))
    if rows:
        raise barred(summary_id, kind, source_id)
    if kind == "summary" and not self.get(source_id):
        raise unknown_source(summary_id, source_id)
