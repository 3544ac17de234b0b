"""Mechanism 6: the sidecar, a process of its own that runs the sessions, so the main process never waits.

It speaks JSON-RPC 2.0 over a Unix socket, or over loopback where there is none. Whoever connects says the
token first, which only the main process was given. What happens is kept in a ring buffer, so a renderer that
was away catches up with `events`. It ends when the process that started it ends: its standard input closes.

    python -m forge.harness.sidecar     one line of JSON on standard input: workspace, token, socket
"""

from __future__ import annotations

import hmac
import json
import os
import socket
import socketserver
import sys
import threading
from typing import Any

from .jsonrpc import INVALID_REQUEST, LINE_LIMIT, answer
from .ring_buffer import RingBuffer
from .sessions import Sessions

CAPACITY = 1000
"""Events that the ring buffer keeps."""


class Sidecar:
    """What can be asked of the sidecar: each public method is a method of the protocol."""

    def __init__(self, workspace: str, *, capacity: int = CAPACITY) -> None:
        self.buffer = RingBuffer(capacity)
        self._sessions = Sessions(workspace, heard=self._heard)
        self.methods = {
            "ping": lambda: "pong",
            "session.open": self.open,
            "session.send": self._sessions.send,
            "session.retry": self._sessions.retry,
            "session.close": self._sessions.end,
            "session.fork": self._sessions.fork,
            "sessions": self._sessions.listed,
            "events": lambda after=0: self.buffer.after(after)._asdict(),
        }

    def open(self, session_id: str) -> dict[str, Any]:
        """Start the process of a session, and say how many messages it was brought back with."""
        return self._sessions.open(session_id)

    def close(self) -> None:
        """End every session."""
        self._sessions.close()

    def _heard(self, session_id: str, event: str, data: dict[str, Any]) -> None:
        self.buffer.add({"session_id": session_id, "event": event, **data})


class _Connection(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        server: Any = self.server
        if not hmac.compare_digest(self.rfile.readline(200).strip(), server.token):
            self.wfile.write(
                b'{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":"wrong token"}}\n' % INVALID_REQUEST
            )
            return
        while line := self.rfile.readline(LINE_LIMIT):
            if not line.endswith(b"\n"):
                return
            reply = answer(line, server.methods)
            if reply is not None:
                self.wfile.write(reply)


def listen(config: dict[str, Any], sidecar: Sidecar) -> tuple[socketserver.BaseServer, str]:
    """A server for the sidecar's methods, and the address it listens on."""
    if hasattr(socket, "AF_UNIX"):
        kind = type("_Unix", (socketserver.ThreadingMixIn, socketserver.UnixStreamServer), {})
        server = kind(config["socket"], _Connection)
        os.chmod(config["socket"], 0o600)  # noqa: PTH101  the path is text from the main process
        address = f"unix:{config['socket']}"
    else:  # Windows
        server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Connection)
        address = f"tcp:{server.server_address[1]}"
    server.daemon_threads = True
    server.block_on_close = False
    server.token, server.methods = config["token"].encode(), sidecar.methods
    return server, address


def main() -> None:
    """Serve until standard input closes."""
    config = json.loads(sys.stdin.readline())
    sidecar = Sidecar(config["workspace"], capacity=config.get("capacity", CAPACITY))
    server, address = listen(config, sidecar)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    print(address, flush=True)
    sys.stdin.read()
    server.shutdown()
    sidecar.close()


if __name__ == "__main__":
    main()
