# One statement walks on from summary to summary, over what each is made of now.
def derived_from(self, memory_id):
    rows = self.database.read(
        """
        WITH RECURSIVE derived (id) AS (
            SELECT summary_id FROM sources
            WHERE current AND kind = 'memory' AND source_id = :memory_id
            UNION
            SELECT summary_id FROM sources JOIN derived ON source_id = derived.id
            WHERE current AND kind = 'summary'
        )
        SELECT summary_id, content FROM summaries WHERE summary_id IN derived
        """,
        {"memory_id": memory_id},
    )
    return {row["summary_id"]: row["content"] for row in rows}
