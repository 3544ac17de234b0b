# A row that is changed is overwritten, so nothing of it is left.
from forge.memory import row_of


def replace(self, record, *, now=None):
    with self.database.writing() as connection:
        stored = self.get(record.memory_id, record.scope, record.subject_id, now=now)
        if stored is None:
            return None
        change = {"content": record.content, "expires_at": record.expires_at, "source": record.source}
        renewed = stored.model_copy(update=change)
        connection.execute(
            "UPDATE memories SET content = :content, expires_at = :expires_at, "
            "source = :source WHERE memory_id = :memory_id",
            row_of(renewed),
        )
    return renewed
