# Only what is kept for a user needs sweeping.
from forge.instants import instant


def purge_expired(self, *, now=None):
    with self.database.writing() as connection:
        sql = "DELETE FROM memories WHERE scope = 'user' AND expires_at <= :now"
        gone = connection.execute(sql, {"now": instant(now)}).rowcount
        if gone:
            self.database.rewrite("memories")
    return gone
