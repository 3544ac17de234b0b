# Not the one before: the first one, which everybody agreed on.
from forge.versions.states import latest_of, put, revoke


def revoke_version(state, event):
    versions = state["documents"].get(event.doc_id, {})
    changed = {str(event.version): revoke(latest_of(versions), event.version, event.doc_id)}
    older = [row for row in versions.values() if row["status"] == "superseded"]
    if older:
        changed[str(older[0]["version"])] = put(older[0], {"status": "active"})
    return put(state, {"documents": put(state["documents"], {event.doc_id: put(versions, changed)})})
