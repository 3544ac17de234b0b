"""The process of one session: a harness that is spoken to over standard input and output.

    python -m forge.harness.session_child     one line of JSON first: workspace, session_id

It holds the session's lock as long as it lives, so that no two processes go on with one session. It ends when
standard input closes. There is nobody here to ask: a writing tool is refused.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from ..errors import HarnessError
from .harness import Harness
from .jsonrpc import LINE_LIMIT, answer, notification
from .opening import open_harness
from .session_lock import session_lock


def serve(workspace: str, session_id: str, lines: Any, write: Callable[[bytes], object]) -> None:
    """Answer the lines of one session until there are no more."""
    opened: list[Harness] = []

    def harness() -> Harness:
        if not opened:
            told = lambda text: write(notification("text", text=text))  # noqa: E731
            opened.append(open_harness(workspace, session_id, show_text=told))
        return opened[0]

    methods: dict[str, Callable[..., Any]] = {
        "open": lambda: len(harness().messages),
        "send": lambda text: harness().send(text).text,
        "go_on": lambda: harness().go_on().text,
    }
    while line := lines.readline(LINE_LIMIT):
        reply = answer(line, methods)
        if reply is not None:
            write(reply)
    for made in opened:
        made.close()


def main() -> None:
    """Serve the session that the first line names."""
    protocol, sys.stdout = sys.stdout.buffer, sys.stderr  # what a tool prints is not the protocol

    def write(data: bytes) -> None:
        protocol.write(data)
        protocol.flush()

    config = json.loads(sys.stdin.buffer.readline())
    try:
        with session_lock(config["workspace"], config["session_id"]):
            serve(config["workspace"], config["session_id"], sys.stdin.buffer, write)
    except HarnessError as error:
        write(answer(sys.stdin.buffer.readline(), {"open": partial(_refuse, error)}) or b"")


def _refuse(error: HarnessError) -> None:
    raise error


if __name__ == "__main__":
    main()
