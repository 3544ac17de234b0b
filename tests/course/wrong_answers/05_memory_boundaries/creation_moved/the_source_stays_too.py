# Where a memory comes from has happened, like its creation.
from forge.memory import row_of


def replace(self, record, *, now=None):
    with self.database.writing() as connection:
        stored = self.get(record.memory_id, record.scope, record.subject_id, now=now)
        if stored is None:
            return None
        change = {"content": record.content, "expires_at": record.expires_at}
        renewed = stored.model_copy(update=change)
        connection.execute(
            "UPDATE memories SET content = :content, expires_at = :expires_at WHERE memory_id = :memory_id",
            row_of(renewed),
        )
        self.database.rewrite("memories")
    return renewed
