# Revoked is revoked, and nothing older is touched.
from forge.versions.states import latest_of, put, revoke


def revoke_version(state, event):
    """The active version is revoked. No older one takes its place."""
    versions = state["documents"].get(event.doc_id, {})
    revoked = revoke(latest_of(versions), event.version, event.doc_id)
    changed = {str(event.version): revoked}
    documents = put(state["documents"], {event.doc_id: put(versions, changed)})
    return put(state, {"documents": documents})
