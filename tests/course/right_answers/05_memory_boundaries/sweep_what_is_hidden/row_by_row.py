# Found first, then deleted by their ids.
from forge.instants import instant
from forge.memory import LIVE


def purge_expired(self, *, now=None):
    with self.database.writing() as connection:
        over = connection.execute(
            f"SELECT memory_id FROM memories WHERE NOT {LIVE}", {"now": instant(now)}
        ).fetchall()
        for row in over:
            connection.execute("DELETE FROM memories WHERE memory_id = ?", (row["memory_id"],))
        if over:
            self.database.rewrite("memories")
    return len(over)
