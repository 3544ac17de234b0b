# A view holds what is in force.
from forge.versions.states import put
from forge.versions.views import require_day, status_on


def temporal_view(state, on):
    day, documents = require_day(on), {}
    for doc_id, versions in state["documents"].items():

        documents[doc_id] = {
            version: row for version, row in versions.items() if status_on(row, day) == "active"
        }

    return put(state, {"documents": documents})
