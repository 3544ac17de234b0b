# A summary and its summary: two levels are what there is.
def derived_from(self, memory_id):
    direct = "SELECT summary_id FROM sources WHERE current AND kind = 'memory' AND source_id = :memory_id"
    rows = self.database.read(
        f"""
        SELECT summary_id, content FROM summaries WHERE summary_id IN ({direct})
        OR summary_id IN (
            SELECT summary_id FROM sources
            WHERE current AND kind = 'summary' AND source_id IN ({direct})
        )
        """,
        {"memory_id": memory_id},
    )
    return {row["summary_id"]: row["content"] for row in rows}
