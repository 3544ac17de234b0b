"""A process that runs the proof or the walkthrough, for the tests: WHAT WORKSPACE STEP.

It kills itself when STEP is on record, or in the middle of its nth append to a file when STEP is "append:n";
"-" is no step. It prints the digest of the proof, or the lines.
"""

from __future__ import annotations

import os
import signal
import sys
from itertools import count as count_from
from pathlib import Path

from forge.harness.proof import run_rag_memory_harness
from forge.harness.walkthrough import walkthrough
from forge.storage import RealDisk


def tear_append(number: int) -> None:
    """Write half of the nth append, and die."""
    whole, count = RealDisk.append, count_from(1)

    def append(disk: RealDisk, path: Path, data: bytes) -> None:
        if next(count) == number:
            whole(disk, path, data[: len(data) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        whole(disk, path, data)

    RealDisk.append = append  # type: ignore[method-assign]


def main() -> None:
    what, workspace, last = sys.argv[1:]
    if last.startswith("append:"):
        tear_append(int(last.removeprefix("append:")))

    def on_step(step: str) -> None:
        if step == last:
            os.kill(os.getpid(), signal.SIGKILL)

    if what == "proof":
        report = run_rag_memory_harness(workspace, on_step=on_step)
        print(report.proof_sha256, report.memory_records)
    else:
        for line in walkthrough(workspace, on_step=on_step):
            print(line)


if __name__ == "__main__":
    main()
