# A row that is deleted is gone.
from forge.instants import instant


def purge_expired(self, *, now=None):
    with self.database.writing() as connection:
        sql = "DELETE FROM memories WHERE expires_at <= :now"
        return connection.execute(sql, {"now": instant(now)}).rowcount
