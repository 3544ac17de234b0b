# No end is an end at nothing, which is before now.
from forge.instants import instant


def purge_expired(self, *, now=None):
    with self.database.writing() as connection:
        sql = "DELETE FROM memories WHERE COALESCE(expires_at, 0) <= :now"
        gone = connection.execute(sql, {"now": instant(now)}).rowcount
        if gone:
            self.database.rewrite("memories")
    return gone
