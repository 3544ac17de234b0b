# Filtered here, the rows come in the order in which they were put.
from itertools import islice

from forge.instants import instant
from forge.memory import INSIDE, at_most, boundary, record_of


def query(self, scope, subject_id, *, now=None, limit=None):
    many, asked = at_most(limit), instant(now)
    rows = self.database.read(f"SELECT * FROM memories WHERE {INSIDE}", boundary(scope, subject_id))
    live = (row for row in rows if row["expires_at"] is None or asked < row["expires_at"])
    return [record_of(row) for row in islice(live, None if many < 0 else many)]
