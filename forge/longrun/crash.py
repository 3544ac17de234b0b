"""A night whose process is killed in the middle of a step, for real.

`python -m forge.longrun.crash WORK FEATURE before|after` is the child: it works until FEATURE is about to be
committed, or has been, says so, and waits to be killed.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from ..errors import StorageError
from .night import Night, run_night
from .store import repo_folder
from .target import Target, open_target


class Halting:
    """A target that stops in the commit of one feature, before it or after it."""

    def __init__(self, inner: Target, feature: str, moment: str) -> None:
        self.inner, self.feature, self.moment = inner, feature, moment
        self.folder, self.status, self.write = inner.folder, inner.status, inner.write
        self.holds, self.roll_back = inner.holds, inner.roll_back

    def commit(self, feature: str) -> None:
        """See `Target`."""
        here = feature == self.feature
        if not here or self.moment == "after":
            self.inner.commit(feature)
        if here:
            print(feature, flush=True)
            sys.stdin.read()


def kill_in_mid_step(work: Path, feature: str, moment: str = "before") -> int:
    """Start a night in a process of its own, kill it in the step of a feature, and give its exit code.

    The repository does not hold the feature when it is killed `before` the commit, and does `after` it. The
    ledger says the same in both cases: it was begun.
    """
    command = [sys.executable, "-m", "forge.longrun.crash", str(work), feature, moment]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        told = child.stdout.readline().decode().strip()
        child.kill()
        code = child.wait()
    if told != feature:
        raise StorageError(
            "the night ended early",
            f"{work}: expected to be in {feature}, found exit code {code}.",
            "Look at what it printed.",
            path=str(work),
            operation="start",
        )
    return code


if __name__ == "__main__":
    folder, stop_in, at = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    run_night(Night(folder, target=Halting(open_target(repo_folder(folder)), stop_in, at)), windows=1)
