# Whatever is active is superseded, wherever it stands.
from forge.versions.states import latest_of, not_greater, put, row_of


def import_version(state, event):
    versions = state["documents"].get(event.doc_id, {})
    latest = latest_of(versions)
    if latest is not None and event.version <= latest["version"]:
        raise not_greater(event.doc_id, latest["version"], event.version)

    changed = {
        version: put(row, {"status": "superseded"}) for version, row in versions.items() if row["status"] == "active"
    }
    changed[str(event.version)] = row_of(event)

    documents = put(state["documents"], {event.doc_id: put(versions, changed)})
    return put(state, {"documents": documents})
