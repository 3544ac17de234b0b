# The reader takes the newest one anyway.
from forge.versions.states import latest_of, not_greater, put, row_of


def import_version(state, event):
    versions = state["documents"].get(event.doc_id, {})
    latest = latest_of(versions)
    if latest is not None and event.version <= latest["version"]:
        raise not_greater(event.doc_id, latest["version"], event.version)

    changed = {str(event.version): row_of(event)}

    documents = put(state["documents"], {event.doc_id: put(versions, changed)})
    return put(state, {"documents": documents})
