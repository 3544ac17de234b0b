# What has not begun will begin.
from forge.versions.states import put
from forge.versions.views import require_day, status_on


def temporal_view(state, on):
    day, documents = require_day(on), {}
    for doc_id, versions in state["documents"].items():

        on_day = {}
        for version, row in versions.items():
            status = status_on(row, day)
            on_day[version] = put(row, {"status": "expired"}) if status == "expired" else row
        documents[doc_id] = put(versions, on_day)

    return put(state, {"documents": documents})
