# The status is changed where it stands.
from forge.versions.states import put
from forge.versions.views import require_day, status_on


def temporal_view(state, on):
    day = require_day(on)
    for versions in state["documents"].values():
        for row in versions.values():
            dict.__setitem__(row, "status", status_on(row, day))
    return state
