"""A process that keeps facts in a remote memory, for the tests: PATH COUNT; it prints new or reused."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

from forge.harness.facts import Fact, keep
from forge.harness.remote_memory import RemoteMemoryStore


def main() -> None:
    path, count = sys.argv[1:]
    store = RemoteMemoryStore(path)
    for number in range(int(count)):
        fact = Fact(
            scope="workspace:atlas",
            content=f"fact {number}",
            source_id="note-1",
            source_kind="user_message",
            captured_at=datetime.now(UTC),
        )
        print("reused" if keep(store, fact).reused else "new", flush=True)


if __name__ == "__main__":
    main()
