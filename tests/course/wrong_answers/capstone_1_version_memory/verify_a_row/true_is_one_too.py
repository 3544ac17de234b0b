# A number is compared as a number.
from forge.versions.digests import canonical, sha
from forge.versions.replay import corrupted, payload_of


def verified(row, seq, previous):
    event = payload_of(row, seq)
    digest = sha(canonical({"seq": seq, "previous": previous, "event": event}))
    if (row["seq"], row["previous"], row["sha"]) != (seq, previous, digest):
        raise corrupted(seq, "it does not follow")
    return event
