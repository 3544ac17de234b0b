# The state is written out with one row exchanged.
from forge.chain import FrozenDict
from forge.versions.states import latest_of, put, revoke


def revoke_version(state, event):
    versions = state["documents"].get(event.doc_id, {})
    row = revoke(latest_of(versions), event.version, event.doc_id)
    versions = FrozenDict({**versions, str(event.version): row})
    return put(state, {"documents": FrozenDict({**state["documents"], event.doc_id: versions})})
