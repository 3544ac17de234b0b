# What counts is what the statement writes; the returned memory is a courtesy.
from forge.memory import row_of


def replace(self, record, *, now=None):
    with self.database.writing() as connection:
        stored = self.get(record.memory_id, record.scope, record.subject_id, now=now)
        if stored is None:
            return None
        renewed = record.model_copy(update={"key": stored.key})
        connection.execute(
            "UPDATE memories SET content = :content, expires_at = :expires_at, "
            "source = :source WHERE memory_id = :memory_id",
            row_of(renewed),
        )
        self.database.rewrite("memories")
    return renewed
