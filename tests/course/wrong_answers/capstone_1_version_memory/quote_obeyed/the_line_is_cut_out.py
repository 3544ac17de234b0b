# What looks like a command is taken out of the text.
from forge.versions.states import latest_of, not_greater, put, row_of


def import_version(state, event):
    versions = state["documents"].get(event.doc_id, {})
    latest = latest_of(versions)
    if latest is not None and event.version <= latest["version"]:
        raise not_greater(event.doc_id, latest["version"], event.version)
    changed = {}
    if latest is not None and latest["status"] == "active":
        changed[str(latest["version"])] = put(latest, {"status": "superseded"})
    changed[str(event.version)] = put(
        row_of(event),
        {"text": "\n".join(line for line in event.text.split("\n") if not line.startswith("{"))},
    )
    documents = put(state["documents"], {event.doc_id: put(versions, changed)})
    return put(state, {"documents": documents})
