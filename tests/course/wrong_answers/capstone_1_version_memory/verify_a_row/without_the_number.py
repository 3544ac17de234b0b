# The place of a row is not part of what happened.
from forge.versions.digests import canonical, sha
from forge.versions.replay import corrupted, payload_of


def verified(row, seq, previous):
    event = payload_of(row, seq)
    digest = sha(canonical({"previous": previous, "event": event}))
    for column, expected in (("seq", seq), ("previous", previous), ("sha", digest)):
        if type(row[column]) is not type(expected) or row[column] != expected:
            raise corrupted(seq, "it does not follow")
    return event
