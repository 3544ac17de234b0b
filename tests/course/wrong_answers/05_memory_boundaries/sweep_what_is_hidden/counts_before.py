# What is there before is what is gone after.
from forge.instants import instant


def purge_expired(self, *, now=None):
    with self.database.writing() as connection:
        gone = connection.execute("SELECT count(*) FROM memories").fetchone()[0]
        sql = "DELETE FROM memories WHERE expires_at <= :now"
        connection.execute(sql, {"now": instant(now)})
        if gone:
            self.database.rewrite("memories")
    return gone
