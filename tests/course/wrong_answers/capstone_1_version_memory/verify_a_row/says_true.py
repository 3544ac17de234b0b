# A row that is right is right.
from forge.versions.digests import canonical, sha
from forge.versions.replay import corrupted, payload_of


def verified(row, seq, previous):
    event = payload_of(row, seq)
    digest = sha(canonical({"seq": seq, "previous": previous, "event": event}))
    for column, expected in (("seq", seq), ("previous", previous), ("sha", digest)):
        if type(row[column]) is not type(expected) or row[column] != expected:
            raise corrupted(seq, "it does not follow")
    return True
