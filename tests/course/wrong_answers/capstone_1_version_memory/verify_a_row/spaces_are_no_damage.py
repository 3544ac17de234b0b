# The payload is read as JSON, however it is written.
import json

from forge.versions.digests import canonical, sha
from forge.versions.replay import corrupted


def verified(row, seq, previous):
    try:
        event = json.loads(row["payload"])
    except ValueError:
        raise corrupted(seq, "its payload is no JSON") from None
    digest = sha(canonical({"seq": seq, "previous": previous, "event": event}))
    for column, expected in (("seq", seq), ("previous", previous), ("sha", digest)):
        if type(row[column]) is not type(expected) or row[column] != expected:
            raise corrupted(seq, "it does not follow")
    return event
