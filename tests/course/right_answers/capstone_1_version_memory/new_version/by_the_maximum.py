# The greatest number is asked for, and the row is written out.
from forge.chain import FrozenDict
from forge.errors import ContractError
from forge.versions.states import latest_of, put


def import_version(state, event):
    versions = state["documents"].get(event.doc_id, {})
    latest = latest_of(versions)
    held = max((row["version"] for row in versions.values()), default=0)
    if not event.version > held:
        raise ContractError("a new version must be greater", f"found {event.version} after {held}.")
    old = {str(held): put(latest, {"status": "superseded"})} if latest and latest["status"] == "active" else {}
    fields = {key: value for key, value in dict(event).items() if key != "kind"}
    changed = {**old, str(event.version): FrozenDict(fields, status="active")}

    documents = put(state["documents"], {event.doc_id: put(versions, changed)})
    return put(state, {"documents": documents})
