# What is in force on the day is active.
from forge.versions.states import put
from forge.versions.views import require_day, status_on


def temporal_view(state, on):
    day, documents = require_day(on), {}
    for doc_id, versions in state["documents"].items():

        on_day = {}
        for version, row in versions.items():
            on_day[version] = put(row, {"status": status_on(put(row, {"status": "active"}), day)})
        documents[doc_id] = put(versions, on_day)

    return put(state, {"documents": documents})
