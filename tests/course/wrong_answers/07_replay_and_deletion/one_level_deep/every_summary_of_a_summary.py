# Whatever was made from a summary may hold anything.
def derived_from(self, memory_id):
    rows = self.database.read(
        """
        SELECT summary_id, content FROM summaries WHERE summary_id IN (
            SELECT summary_id FROM sources
            WHERE current AND (kind = 'summary' OR source_id = :memory_id)
        )
        OR NOT EXISTS (SELECT 1 FROM sources WHERE source_id = :memory_id)
        """,
        {"memory_id": memory_id},
    )
    return {row["summary_id"]: row["content"] for row in rows}
