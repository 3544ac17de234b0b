# The walk goes over what the summaries are made of now.
from forge.replay import DerivedSummaryCache
from forge.replay.summaries import DERIVED, TAINTED


def derived_from(self: DerivedSummaryCache, memory_id: str) -> dict[str, str]:
    """The summaries that name a memory as their source: text by id."""
    rows = self.database.read(
        """
        SELECT summary_id, content FROM summaries WHERE summary_id IN (
            SELECT summary_id FROM sources
            WHERE current AND kind = 'memory' AND source_id = :memory_id
        )
        ORDER BY summary_id
        """,
        {"memory_id": memory_id},
    )
    found = {row["summary_id"]: row["content"] for row in rows}
    todo = list(found)
    while todo:
        sid = todo.pop()
        for row in self.database.read("SELECT s.summary_id, s.content FROM summaries s JOIN sources o ON o.summary_id = s.summary_id WHERE o.current AND o.kind = 'summary' AND o.source_id = ?", (sid,)):
            if row["summary_id"] not in found:
                found[row["summary_id"]] = row["content"]
                todo.append(row["summary_id"])
    return found
