from forge.memory import row_of


def replace(self, record, *, now=None):
    """Put `record` in the place of the live memory of its id, scope and subject."""
    with self.database.writing() as connection:
        stored = self.get(record.memory_id, record.scope, record.subject_id, now=now)
        if stored is None:
            return None
        renewed = record.model_copy(update={"key": stored.key})
        connection.execute(
            "UPDATE memories SET content = :content, created_at = :created_at, "
            "expires_at = :expires_at, source = :source WHERE memory_id = :memory_id",
            row_of(renewed),
        )
        self.database.rewrite("memories")
    return renewed
