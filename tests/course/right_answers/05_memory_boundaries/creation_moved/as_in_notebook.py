# As the notebook's solved edition has it.
from forge.memory import row_of


def replace(self, record, *, now=None):
    """Give a live memory the content, end and source of `record`."""
    with self.database.writing() as connection:
        stored = self.get(record.memory_id, record.scope, record.subject_id, now=now)
        if stored is None:
            return None
        fields = ("content", "expires_at", "source")
        change = {field: getattr(record, field) for field in fields}
        renewed = stored.model_copy(update=change)
        connection.execute(
            "UPDATE memories SET content = :content, expires_at = :expires_at, "
            "source = :source WHERE memory_id = :memory_id",
            row_of(renewed),
        )
        self.database.rewrite("memories")
    return renewed
