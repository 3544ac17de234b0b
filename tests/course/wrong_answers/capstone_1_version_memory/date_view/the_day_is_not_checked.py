# Whoever asks knows how a day is written.
from forge.versions.states import put
from forge.versions.views import require_day, status_on


def temporal_view(state, on):
    documents = {}
    for doc_id, versions in state["documents"].items():
        on_day = {version: put(row, {"status": status_on(row, on)}) for version, row in versions.items()}
        documents[doc_id] = put(versions, on_day)
    return put(state, {"documents": documents})
