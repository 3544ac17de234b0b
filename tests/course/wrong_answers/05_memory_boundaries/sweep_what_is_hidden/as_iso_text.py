# ISO text sorts like time.
from datetime import UTC, datetime


def purge_expired(self, *, now=None):
    with self.database.writing() as connection:
        sql = "DELETE FROM memories WHERE expires_at <= :now"
        asked = (now or datetime.now(UTC)).isoformat()
        gone = connection.execute(sql, {"now": asked}).rowcount
        if gone:
            self.database.rewrite("memories")
    return gone
