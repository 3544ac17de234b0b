# The digest is computed from the columns of the row.
from forge.versions.digests import canonical, sha
from forge.versions.replay import corrupted, payload_of


def verified(row, seq, previous):
    event = payload_of(row, seq)
    digest = sha(canonical({"seq": row["seq"], "previous": row["previous"], "event": event}))
    if row["sha"] != digest:
        raise corrupted(seq, "its digest is another one")
    return event
