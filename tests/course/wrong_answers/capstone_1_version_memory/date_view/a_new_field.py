# The old status stays, the new one stands beside it.
from forge.versions.states import put
from forge.versions.views import require_day, status_on


def temporal_view(state, on):
    day, documents = require_day(on), {}
    for doc_id, versions in state["documents"].items():

        on_day = {v: put(row, {"status_on_day": status_on(row, day)}) for v, row in versions.items()}
        documents[doc_id] = put(versions, on_day)

    return put(state, {"documents": documents})
