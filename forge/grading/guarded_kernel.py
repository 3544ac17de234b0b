"""A kernel under nbval that is watched while a cell runs."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections import deque
from dataclasses import dataclass
from queue import Empty
from typing import Any, NoReturn

import zmq
from jupyter_client.manager import KernelManager
from nbval.kernel import NbvalKernelspecManager, RunningKernel

from .messages import is_idle, kept, size_of

_POLL = 0.1  # seconds between two looks at whether the kernel still lives
_PATIENCE = 3.0  # seconds that an interrupted cell, or the end of a cell's output, is waited for
_MESSAGE = 16_000_000  # bytes of one message; a kernel that sends more is cut off
_WAITING = 200  # messages
_FLOOD = 64  # a message of another cell counts as so many bytes
_PINNED = {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"}


@dataclass(frozen=True)
class Budget:
    """Seconds for a notebook and for one cell, and bytes of output kept of one cell."""

    notebook: float
    cell: float
    output: int


class CellStopped(Exception):
    """A cell did not come to its end. `how` is "died" or "over its time"."""

    def __init__(self, how: str, words: str) -> None:
        super().__init__(words)
        self.how = how


class GuardedKernel(RunningKernel):  # type: ignore[misc]
    """nbval's kernel with a budget. `ended` says why no further cell can run, and is empty while one can."""

    def __init__(
        self, kernel_name: str, cwd: str | None = None, startup_timeout: float = 60, *, budget: Budget
    ) -> None:
        self.ended = ""
        self._budget = budget
        self._folder = tempfile.TemporaryDirectory(prefix="nbval-", ignore_cleanup_errors=True)
        self._held: deque[dict[str, Any]] = deque()
        self._kept = 0
        self._current = ""
        self._look = 0.0
        self._cell = "the start"
        self._cell_due = self._due = time.monotonic() + startup_timeout
        self._start(kernel_name, startup_timeout)
        self._ensure_iopub_up()
        self._due = time.monotonic() + budget.notebook

    def _start(self, kernel_name: str, startup_timeout: float) -> None:
        self.km = KernelManager(kernel_name=kernel_name, kernel_spec_manager=NbvalKernelspecManager())
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.km.start_kernel(cwd=self._folder.name, env={**os.environ, **_PINNED}, **quiet)
        self.kc = self.km.client()
        # What arrives before it is read lies in the memory of this process.
        self.kc.context.setsockopt(zmq.MAXMSGSIZE, _MESSAGE)
        self.kc.context.setsockopt(zmq.RCVHWM, _WAITING)
        self.kc.start_channels()
        try:
            self.kc.wait_for_ready(timeout=startup_timeout)
        except RuntimeError:
            self.stop()
            raise

    def begin(self, cell: str) -> None:
        """A cell of that name comes next."""
        self._cell, self._current, self._kept = cell, "", 0
        self._held.clear()
        self._cell_due = time.monotonic() + self._budget.cell

    def execute_cell_input(self, cell_input: str, allow_stdin: bool | None = None) -> str:
        """Send a cell to the kernel."""
        self._current = super().execute_cell_input(cell_input, allow_stdin=allow_stdin)
        return self._current

    def await_reply(self, msg_id: str, timeout: float | None = None) -> None:
        """Wait for the reply while reading output. Raises `CellStopped` when there will be none in time."""
        if not self._replied(msg_id, min(self._cell_due, self._due)):
            self._over_time(msg_id)

    def get_message(self, stream: str, timeout: float | None = None) -> dict[str, Any]:
        """The next message of a stream. Raises `Empty` after `timeout`, `CellStopped` when it died."""
        until = time.monotonic() + (_PATIENCE if timeout is None else min(timeout, _PATIENCE))
        while True:
            if stream == "iopub" and self._held:
                return self._held.popleft()
            if stream == "shell" and (found := self._receive(self.kc.shell_channel)) is not None:
                return found
            if time.monotonic() > until:
                if stream == "iopub" and self._current:
                    self.ended = f"the output of {self._cell} did not come to its end"
                    self.stop()
                    raise CellStopped("over its time", self.ended)
                raise Empty
            self._wait()

    def stop(self) -> None:
        """End the kernel and remove its folder; more than once does nothing."""
        if hasattr(self, "km"):
            super().stop()
        self._folder.cleanup()

    def _replied(self, msg_id: str, until: float) -> bool:
        while time.monotonic() < until:
            found = self._receive(self.kc.shell_channel)
            if found is None:
                self._wait()
            elif found["parent_header"].get("msg_id") == msg_id:
                return True
        return False

    def _over_time(self, msg_id: str) -> NoReturn:
        over_budget = time.monotonic() >= self._due
        seconds = self._budget.notebook if over_budget else self._budget.cell
        what = "notebook" if over_budget else "cell"
        words = f"the time of this {what}, {seconds:g} s, was over in {self._cell}"
        if not over_budget:
            self.interrupt()
            if self._replied(msg_id, time.monotonic() + _PATIENCE):
                raise CellStopped("over its time", words)
        self.ended = words
        self.stop()
        raise CellStopped("over its time", words)

    def _wait(self) -> None:
        """Wait for a message or a moment, read what was put out, and see that the kernel lives."""
        sockets = (self.kc.shell_channel.socket, self.kc.iopub_channel.socket)
        poller = zmq.Poller()
        for socket in sockets:
            poller.register(socket, zmq.POLLIN)
        poller.poll(int(_POLL * 1000))
        self._drain()
        if time.monotonic() > self._look:
            self._look = time.monotonic() + _POLL
            if not self.km.is_alive():
                self._drain()
                self._died()

    def _died(self) -> NoReturn:
        provisioner = self.km.provisioner
        code = getattr(getattr(provisioner, "process", None), "returncode", None)
        # A provisioner that ended the kernel itself may say why.
        cause = getattr(provisioner, "reason", "") or f"by {ending(code)}"
        self.ended = f"the kernel died in {self._cell}, {cause}"
        self.stop()
        raise CellStopped("died", self.ended)

    def _drain(self) -> None:
        until = time.monotonic() + _POLL
        while time.monotonic() < until and self.kc.iopub_channel.socket.poll(0):
            message = self._receive(self.kc.iopub_channel)
            if message is None or not kept(message):
                continue
            if self._current and message["parent_header"].get("msg_id") != self._current:
                continue
            self._kept += size_of(message) + _FLOOD
            if self._kept <= self._budget.output or is_idle(message):
                self._held.append(message)

    def _receive(self, channel: Any) -> dict[str, Any] | None:
        """The next message of a channel if one is there and is well formed: a kernel may send anything."""
        try:
            if not channel.socket.poll(0):
                return None
            message: dict[str, Any] = channel.get_msg(timeout=0)
            return message if isinstance(message.get("parent_header"), dict) else None
        except Exception:
            return None


def ending(code: int | None) -> str:
    """What a process's exit code says. A shell or a sandbox reports the signal of its child as 128 more."""
    if code is None:
        return "an unknown cause"
    number = -code if code < 0 else code - 128
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"exit code {code}"
