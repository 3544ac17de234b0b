# What has an end will end.
from forge.instants import instant


def purge_expired(self, *, now=None):
    with self.database.writing() as connection:
        sql = "DELETE FROM memories WHERE expires_at IS NOT NULL"
        gone = connection.execute(sql, {}).rowcount
        if gone:
            self.database.rewrite("memories")
    return gone
