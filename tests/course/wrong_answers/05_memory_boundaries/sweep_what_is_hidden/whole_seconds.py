# A second more or less does not matter.
from forge.instants import instant


def purge_expired(self, *, now=None):
    with self.database.writing() as connection:
        sql = "DELETE FROM memories WHERE expires_at / 1000000 <= :now / 1000000"
        gone = connection.execute(sql, {"now": instant(now)}).rowcount
        if gone:
            self.database.rewrite("memories")
    return gone
