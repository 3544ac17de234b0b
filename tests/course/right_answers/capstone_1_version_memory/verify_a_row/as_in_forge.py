# What is right is computed, then compared column by column.
from forge.versions.digests import canonical, sha
from forge.versions.replay import corrupted, payload_of


def verified(row, seq, previous):
    event = payload_of(row, seq)
    digest = sha(canonical({"seq": seq, "previous": previous, "event": event}))
    for column, expected in (("seq", seq), ("previous", previous), ("sha", digest)):
        found = row[column]
        if type(found) is not type(expected) or found != expected:
            raise corrupted(seq, f"its {column} is {found!r}, expected {expected!r}")
    return event
