# When the newest is wrong, the older ones are wrong as well.
from forge.versions.states import latest_of, put, revoke


def revoke_version(state, event):
    versions = state["documents"].get(event.doc_id, {})
    revoke(latest_of(versions), event.version, event.doc_id)
    changed = {version: put(row, {"status": "revoked"}) for version, row in versions.items()}
    return put(state, {"documents": put(state["documents"], {event.doc_id: put(versions, changed)})})
