from forge.instants import moment
from forge.memory import MemoryRecord


def record_of(row):
    """The memory that a row stores, with its first word for a list."""
    ends = None if row["expires_at"] is None else moment(row["expires_at"])
    times = {"created_at": moment(row["created_at"]), "expires_at": ends}
    return MemoryRecord(**{**dict(row), **times, "content": row["content"].split()[0]})
