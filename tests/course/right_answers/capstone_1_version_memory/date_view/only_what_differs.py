# A row that stays the same is not made anew.
from forge.versions.states import put
from forge.versions.views import require_day, status_on


def temporal_view(state, on):
    day, documents = require_day(on), {}
    for doc_id, versions in state["documents"].items():

        documents[doc_id] = versions
        for version, row in versions.items():
            status = status_on(row, day)
            if status != row["status"]:
                documents[doc_id] = put(documents[doc_id], {version: put(row, {"status": status})})

    return put(state, {"documents": documents})
