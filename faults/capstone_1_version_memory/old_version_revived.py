from forge.versions.states import latest_of, put, revoke


def revoke_version(state, event):
    """The active version is revoked, and the one before it counts again."""
    versions = state["documents"].get(event.doc_id, {})
    revoked = revoke(latest_of(versions), event.version, event.doc_id)
    changed = {str(event.version): revoked}
    older = [row for row in versions.values() if row["status"] == "superseded"]
    if older:
        changed[str(older[-1]["version"])] = put(older[-1], {"status": "active"})
    documents = put(state["documents"], {event.doc_id: put(versions, changed)})
    return put(state, {"documents": documents})
