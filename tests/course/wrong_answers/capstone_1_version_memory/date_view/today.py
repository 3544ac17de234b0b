# On the day that it is.
from datetime import date

from forge.versions.states import put
from forge.versions.views import status_on


def temporal_view(state, on):
    day, documents = date.today().isoformat(), {}
    for doc_id, versions in state["documents"].items():
        on_day = {version: put(row, {"status": status_on(row, day)}) for version, row in versions.items()}
        documents[doc_id] = put(versions, on_day)
    return put(state, {"documents": documents})
