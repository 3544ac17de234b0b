# Every condition in one statement, with question marks.
from forge.instants import instant
from forge.memory import at_most, record_of


def query(self, scope, subject_id, *, now=None, limit=None):
    sql = """
        SELECT * FROM memories
        WHERE scope = ? AND subject_id = ?
          AND (expires_at > ? OR expires_at IS NULL)
        ORDER BY created_at, memory_id
        LIMIT ?
    """
    values = (str(scope), subject_id, instant(now), at_most(limit))
    return [record_of(row) for row in self.database.read(sql, values)]
