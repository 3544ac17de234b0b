# A memory has no days.
from forge.versions.states import put
from forge.versions.views import require_day, status_on


def temporal_view(state, on):
    day, documents = require_day(on), {}
    for doc_id, versions in state["documents"].items():

        on_day = {version: put(row, {"status": status_on(row, day)}) for version, row in versions.items()}
        documents[doc_id] = put(versions, on_day)
    return {"documents": documents}
