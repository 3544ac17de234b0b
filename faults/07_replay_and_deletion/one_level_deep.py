from forge.replay import DerivedSummaryCache


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
    return {row["summary_id"]: row["content"] for row in rows}
