# Whether something was swept is enough.
from forge.instants import instant


def purge_expired(self, *, now=None):
    with self.database.writing() as connection:
        sql = "DELETE FROM memories WHERE expires_at <= :now"
        cursor = connection.execute(sql, {"now": instant(now)})
        gone = "yes" if cursor.rowcount else ""
        if gone:
            self.database.rewrite("memories")
    return gone
