# A summary that was put again without the memory goes as well.
from forge.replay import DerivedSummaryCache
from forge.replay.summaries import DERIVED, TAINTED


def derived_from(self: DerivedSummaryCache, memory_id: str) -> dict[str, str]:
    """The summaries that name a memory as their source: text by id."""
    rows = self.database.read(
        f"""
        {TAINTED} SELECT summary_id, content FROM summaries WHERE summary_id IN tainted
        ORDER BY summary_id
        """,
        {"memory_id": memory_id},
    )
    return {row["summary_id"]: row["content"] for row in rows}
