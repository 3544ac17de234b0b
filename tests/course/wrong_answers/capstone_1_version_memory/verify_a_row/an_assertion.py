# What must be true is asserted.
from forge.versions.digests import canonical, sha
from forge.versions.replay import corrupted, payload_of


def verified(row, seq, previous):
    event = payload_of(row, seq)
    digest = sha(canonical({"seq": seq, "previous": previous, "event": event}))
    assert type(row["seq"]) is int
    assert (row["seq"], row["previous"], row["sha"]) == (seq, previous, digest)
    return event
