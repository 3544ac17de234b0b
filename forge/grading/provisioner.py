"""A Jupyter kernel in the sandbox: named in a kernelspec's metadata, it serves any client.

    "metadata": {"kernel_provisioner": {"provisioner_name": "forge-sandbox", "config": {"shown": {…}}}}

The sandbox has no network, so client and kernel meet at sockets in a folder that only they share.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import tempfile
from pathlib import Path
from typing import Any

from jupyter_client.provisioning.local_provisioner import LocalProvisioner
from traitlets import Dict, Integer, List, Unicode

from .sandbox import WORK, Limits, Sandbox, user, wrapped

_MEETING_BYTES = 1_000_000  # sockets have no size; a connection file has a few hundred bytes
_MEETING_FILES = 50  # five sockets and a connection file
_SCRATCH_FILES = 20_000  # an empty file takes memory of the system that no other limit counts


class SandboxProvisioner(LocalProvisioner):
    """Starts a kernel under bubblewrap and ends it when it takes more than it was given."""

    shown = Dict(Unicode(), Unicode(), help="Read-only paths: inside, and outside.").tag(config=True)
    hidden = List(Unicode(), help="Paths below them that are empty inside.").tag(config=True)
    environment = Dict(Unicode(), Unicode(), help="Variables; no other is set.").tag(config=True)
    memory = Integer(Limits.memory, help="Bytes, for a process and for all.").tag(config=True)
    processes = Integer(Limits.processes, help="Processes and threads.").tag(config=True)
    cpu = Integer(Limits.cpu, help="Seconds of one process.").tag(config=True)

    reason = ""
    """Why this provisioner ended the kernel, if it did."""
    _meeting = ""

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        """Let client and kernel meet at sockets, and put the sandbox around the kernel's command."""
        self._meeting = tempfile.mkdtemp(prefix="kernel-")
        if (number := user()) is not None:
            os.chown(self._meeting, number, number)
        manager: Any = self.parent
        manager.transport = "ipc"
        manager.ip = f"{self._meeting}/s"
        manager.connection_file = f"{self._meeting}/connection.json"
        kwargs = await super().pre_launch(**kwargs)
        if number is not None:
            os.chown(manager.connection_file, number, number)
        limits = Limits(memory=self.memory, processes=self.processes, cpu=self.cpu)
        sandbox = Sandbox(self.shown, tuple(self.hidden), self.environment, limits)
        kwargs["cmd"] = wrapped(kwargs["cmd"], sandbox, meeting=self._meeting)
        kwargs["cwd"] = self._meeting
        kwargs["env"] = {"PATH": os.environ.get("PATH", "/usr/bin:/bin")}
        return kwargs

    async def poll(self) -> int | None:
        """The exit code, or None while the kernel runs within its limits."""
        code: int | None = await super().poll()
        if code is None and self.process is not None and (reason := self._excess(self.process.pid)):
            self.reason = reason
            await self.kill()
            code = self.process.wait()
        return code

    async def send_signal(self, signum: int) -> None:
        """Send a signal. An interrupt must reach the kernel itself: bubblewrap would die of it."""
        if signum != signal.SIGINT or self.process is None:
            await super().send_signal(signum)
            return
        inside = _below(self.process.pid)
        if len(inside) > 1:
            os.kill(inside[1], signum)  # bubblewrap, the first process inside, and then the kernel

    async def cleanup(self, restart: bool = False) -> None:
        """Remove the folder of the sockets."""
        await super().cleanup(restart=restart)
        if self._meeting and not restart:
            shutil.rmtree(self._meeting, ignore_errors=True)

    def _excess(self, pid: int) -> str:
        """What the kernel takes too much of, in words, or nothing."""
        inside = _below(pid)
        if len(inside) > self.processes:
            return f"with {len(inside)} processes, at most {self.processes} are allowed"
        if sum(map(_memory, inside)) > self.memory:
            return f"with more than {self.memory / 1e9:g} GB of memory"
        if _more_than(_MEETING_FILES, _MEETING_BYTES, Path(self._meeting)):
            return "writing into the folder of its sockets"
        if inside and _files(inside[-1], WORK) > _SCRATCH_FILES:
            return f"with more than {_SCRATCH_FILES} files"
        return ""


def _below(pid: int) -> list[int]:
    """The processes that descend from this one, parents first."""
    found = [pid]
    for one in found:
        try:
            for task in Path(f"/proc/{one}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
        except OSError:
            continue  # it has ended, or this system does not tell
    return found[1:]


def _more_than(files: int, size: int, folder: Path) -> bool:
    """Whether a folder, which may change meanwhile, holds more files or bytes than that."""
    count = total = 0
    for place, folders, names in os.walk(folder):
        for name in (*folders, *names):
            count += 1
            with contextlib.suppress(OSError):
                total += (Path(place) / name).lstat().st_size
            if count > files or total > size:
                return True
    return False


def _files(pid: int, folder: str) -> int:
    """How many files there are in a process's file system of that folder, or 0 where nobody tells."""
    try:
        found = os.statvfs(f"/proc/{pid}/root{folder}")
    except OSError:
        return 0
    return found.f_files - found.f_ffree


def _memory(pid: int) -> int:
    try:
        pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
