# The earlier time is kept, whatever the rest.
from forge.memory import row_of


def replace(self, record, *, now=None):
    with self.database.writing() as connection:
        stored = self.get(record.memory_id, record.scope, record.subject_id, now=now)
        if stored is None:
            return None
        began = min(stored.created_at, record.created_at)
        renewed = record.model_copy(update={"created_at": began})
        connection.execute(
            "UPDATE memories SET content = :content, expires_at = :expires_at, "
            "source = :source, key = :key WHERE memory_id = :memory_id",
            row_of(renewed),
        )
        self.database.rewrite("memories")
    return renewed
