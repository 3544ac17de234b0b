# One statement walks over every arrow there ever was, and its last step asks what holds the text now.
def derived_from(self, memory_id):
    rows = self.database.read(
        """
        WITH RECURSIVE reached (kind, id) AS (
            SELECT 'memory', :memory_id
            UNION
            SELECT 'summary', summary_id FROM sources
            JOIN reached ON sources.kind = reached.kind AND source_id = reached.id
        )
        SELECT DISTINCT summary_id, content FROM summaries JOIN sources USING (summary_id)
        JOIN reached ON sources.kind = reached.kind AND source_id = reached.id
        WHERE current ORDER BY summary_id
        """,
        {"memory_id": memory_id},
    )
    return {row["summary_id"]: row["content"] for row in rows}
