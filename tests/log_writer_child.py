"""A process that appends to a log, for the tests: PATH NAME COUNT; it prints the number of each record.

It retries on StaleWriter, as a writer does that decides on what it has read. COUNT 0: until it is killed.
"""

from __future__ import annotations

import sys
from itertools import count as count_from

from forge.errors import StaleWriter
from forge.log import ChainLog


def append(log: ChainLog, event: dict[str, object], seen: int) -> int:
    while True:
        try:
            return log.append(event, expected=seen).number
        except StaleWriter as stale:
            seen = stale.evidence["count"]


def main() -> None:
    path, name, count = sys.argv[1:]
    log = ChainLog(path)
    seen = 0
    for step in range(int(count)) if int(count) else count_from():
        seen = append(log, {"writer": name, "step": step}, seen)
        print(seen, flush=True)


if __name__ == "__main__":
    main()
