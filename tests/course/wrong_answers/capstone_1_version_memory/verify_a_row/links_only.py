# Each row names the one before it, and that is the chain.
from forge.versions.digests import canonical, sha
from forge.versions.replay import corrupted, payload_of


def verified(row, seq, previous):
    event = payload_of(row, seq)
    if type(row["seq"]) is not int or row["seq"] != seq or row["previous"] != previous:
        raise corrupted(seq, "it does not follow")
    return event
