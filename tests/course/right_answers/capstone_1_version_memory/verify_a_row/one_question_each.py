# Three questions, each with its own words.
from forge.versions.digests import canonical, sha
from forge.versions.replay import corrupted, payload_of


def verified(row, seq, previous):
    event = payload_of(row, seq)
    if type(row["seq"]) is not int or row["seq"] != seq:
        raise corrupted(seq, "it has another number")
    if row["previous"] != previous:
        raise corrupted(seq, "it follows another row")
    if row["sha"] != sha(canonical({"seq": seq, "previous": previous, "event": event})):
        raise corrupted(seq, "its digest is another one")
    return event
