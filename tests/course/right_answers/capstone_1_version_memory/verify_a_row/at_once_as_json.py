# Three columns as JSON, in which true is not 1.
import json

from forge.versions.digests import canonical, sha
from forge.versions.replay import corrupted, payload_of


def verified(row, seq, previous):
    event = payload_of(row, seq)
    digest = sha(canonical({"seq": seq, "previous": previous, "event": event}))
    stored = [row["seq"], row["previous"], row["sha"]]
    if json.dumps(stored, default=str) != json.dumps([seq, previous, digest]):
        raise corrupted(seq, "it does not follow the row before it")
    return event
