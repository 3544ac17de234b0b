"""Mechanism 5: the main process. It starts the sidecar, asks it, and stays able to answer whoever looks.

Three processes share the work: this one, the sidecar, and the renderer, which is JupyterLab. A session is a
fourth, a child of the sidecar. If the sidecar dies, `PeerLost` says so, and `restart` starts another: the
sessions go on from their transcripts.
"""

from __future__ import annotations

import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..chain import canonical
from ..database import Closing
from ..errors import PeerLost
from .jsonrpc import Remote

_SECONDS = 10.0


class MainProcess(Closing):
    """The main process of a workspace, with a sidecar that runs as long as this object is not closed."""

    def __init__(self, workspace: str | Path, *, capacity: int = 1000) -> None:
        self.workspace = Path(workspace).resolve()
        self._capacity = capacity
        self._start()

    @property
    def sidecar_pid(self) -> int:
        """The process id of the sidecar."""
        return self._child.pid

    def call(self, method: str, /, **params: Any) -> Any:
        """What a method of the sidecar gives; see `sidecar.Sidecar.methods`."""
        return self._remote.call(method, **params)

    def restart(self) -> None:
        """Start the sidecar anew."""
        self.close()
        self._start()

    def close(self) -> None:
        """End the sidecar and its sessions, and wait for that; again is no error."""
        for closing in (self._socket.close, self._stream.close, self._child.stdin.close):  # type: ignore[union-attr]
            with suppress(OSError):
                closing()
        try:
            self._child.wait(timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        self._child.stdout.close()  # type: ignore[union-attr]
        shutil.rmtree(self._folder, ignore_errors=True)

    def _start(self) -> None:
        # Short, whatever the workspace is called: the path of a Unix socket has about 100 bytes.
        self._folder = tempfile.mkdtemp(prefix="forge-")
        token = secrets.token_hex(16)
        config = {
            "workspace": str(self.workspace),
            "token": token,
            "socket": str(Path(self._folder, "s")),
            "capacity": self._capacity,
        }
        self._child = subprocess.Popen(
            [sys.executable, "-m", "forge.harness.sidecar"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._child.stdin.write(canonical(config) + b"\n")
        self._child.stdin.flush()
        address = self._child.stdout.readline().decode().strip()
        if not address:
            self._child.wait()
            raise PeerLost(
                "the sidecar did not start", f"exit code {self._child.returncode}.", peer="sidecar"
            )
        kind, _, where = address.partition(":")
        if kind == "unix":
            self._socket = socket.socket(socket.AF_UNIX)
            self._socket.connect(where)
        else:
            self._socket = socket.create_connection(("127.0.0.1", int(where)))
        self._stream = self._socket.makefile("rwb")
        self._stream.write(token.encode() + b"\n")
        self._remote = Remote("sidecar", self._stream, self._stream)
