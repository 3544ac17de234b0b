# What is not there cannot come back.
from forge.chain import FrozenDict
from forge.versions.states import latest_of, put, revoke


def revoke_version(state, event):
    versions = state["documents"].get(event.doc_id, {})
    revoke(latest_of(versions), event.version, event.doc_id)
    left = FrozenDict({key: row for key, row in versions.items() if key != str(event.version)})
    return put(state, {"documents": put(state["documents"], {event.doc_id: left})})
