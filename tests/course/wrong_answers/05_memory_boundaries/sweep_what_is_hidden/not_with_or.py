# NOT reaches over the whole condition without brackets.
from forge.instants import instant


def purge_expired(self, *, now=None):
    with self.database.writing() as connection:
        sql = "DELETE FROM memories WHERE NOT expires_at IS NULL OR :now < expires_at"
        gone = connection.execute(sql, {"now": instant(now)}).rowcount
        if gone:
            self.database.rewrite("memories")
    return gone
