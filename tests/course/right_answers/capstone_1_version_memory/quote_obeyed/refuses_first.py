# The version is checked, then the two rows are exchanged.
from forge.versions.states import latest_of, not_greater, put, row_of


def import_version(state, event):
    versions = state["documents"].get(event.doc_id, {})
    row = latest_of(versions)
    if row and row["version"] >= event.version:
        raise not_greater(event.doc_id, row["version"], event.version)
    if row and row["status"] == "active":
        versions = put(versions, {str(row["version"]): put(row, {"status": "superseded"})})
    versions = put(versions, {str(event.version): row_of(event)})
    return put(state, {"documents": put(state["documents"], {event.doc_id: versions})})
