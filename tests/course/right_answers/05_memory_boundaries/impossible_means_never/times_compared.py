# The times are compared before they are numbers.
from forge.instants import instant


def row_of(record):
    times = {"created_at": instant(record.created_at), "expires_at": None}
    if record.expires_at is not None:
        if record.expires_at <= record.created_at:
            raise ValueError("expires_at must be later than created_at")
        times["expires_at"] = instant(record.expires_at)
    return dict(record) | times | {"scope": record.scope.value}
