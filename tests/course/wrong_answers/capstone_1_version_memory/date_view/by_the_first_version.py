# A document is in force or not, whatever its version.
from forge.versions.states import put
from forge.versions.views import require_day, status_on


def temporal_view(state, on):
    day, documents = require_day(on), {}
    for doc_id, versions in state["documents"].items():

        first = next(iter(versions.values()))
        status = status_on(first, day)
        documents[doc_id] = {version: put(row, {"status": status}) for version, row in versions.items()}

    return put(state, {"documents": documents})
