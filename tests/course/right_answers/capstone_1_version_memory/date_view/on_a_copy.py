# A plain copy may be changed.
from forge.chain import thaw
from forge.versions.states import put
from forge.versions.views import require_day, status_on


def temporal_view(state, on):
    day, view = require_day(on), thaw(state)
    for versions in view["documents"].values():
        for row in versions.values():
            row["status"] = status_on(row, day)
    return view
