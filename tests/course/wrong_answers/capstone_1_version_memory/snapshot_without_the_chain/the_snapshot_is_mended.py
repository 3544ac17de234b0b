# Where the two differ, the log is right and the snapshot is written anew.
from forge.versions.replay import no_prefix, replay_prefix
from forge.versions.snapshot import lines_of


def _replay_all(self, as_of):
    rows, lines = self._read()
    if as_of is not None and as_of > len(rows):
        raise no_prefix(as_of, len(rows))
    state = replay_prefix(rows)
    if lines != lines_of(state):
        with self.database.writing() as connection:
            connection.execute("DELETE FROM snapshot")
            connection.executemany("INSERT INTO snapshot VALUES (?, ?, ?, ?)", lines_of(state))
    return replay_prefix(rows, as_of)
