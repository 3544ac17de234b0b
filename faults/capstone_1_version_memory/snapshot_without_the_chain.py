import json

from forge.versions.replay import no_prefix


def _replay_all(self, as_of):
    """The state after all events, which is what the snapshot is kept for."""
    rows, lines = self._read()
    if as_of is not None and as_of > len(rows):
        raise no_prefix(as_of, len(rows))
    state = {"documents": {}, "memories": {}}
    for part, name, version, row in sorted(lines, key=lambda line: json.loads(line[3])["version"]):
        if part == "documents":
            state["documents"].setdefault(name, {})[version] = json.loads(row)
        else:
            state["memories"][name] = json.loads(row)
    return state
