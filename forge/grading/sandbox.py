"""The command that runs a program with nothing around it: no network, no files but the named ones, limits.

Under bubblewrap the program sees the system's libraries, its Python, and what it is given, all read-only; a
`/tmp` of its own; and one folder to meet the outside in. It sees no home, no other process and no network.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .errors import SandboxMissing, SandboxRefused

WORK = "/tmp"
"""The folder that a program in the sandbox starts in; it goes with the program."""

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/alternatives")
_FIRST_USER = 200_000  # above the numbers that systems give to accounts


@dataclass(frozen=True)
class Limits:
    """Bytes of memory of a process and of all, bytes on `/tmp` and in a file, processes, seconds."""

    memory: int = 2_000_000_000
    scratch: int = 64_000_000
    processes: int = 80
    cpu: int = 120


@dataclass(frozen=True)
class Sandbox:
    """What a program sees beside the system: `shown` paths, less the `hidden` ones below them."""

    shown: Mapping[str, str] = field(default_factory=dict)
    """By path inside: the path outside."""
    hidden: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = Limits()


def python_paths() -> dict[str, str]:
    """The folders of this Python and of its virtual environment."""
    return {
        path: path for path in dict.fromkeys((sys.base_prefix, sys.prefix)) if not path.startswith("/usr")
    }


def user() -> int | None:
    """The user to become inside: a number of this process alone when it is root's, else its own."""
    return _FIRST_USER + os.getpid() if os.geteuid() == 0 else None


def wrapped(command: Sequence[str], sandbox: Sandbox, *, meeting: str | None = None) -> list[str]:
    """The command, sandboxed. `meeting` is the one folder that can be written to and seen from outside."""
    limits = sandbox.limits
    root = user() is not None
    line = [_bubblewrap(), "--die-with-parent", "--new-session", "--clearenv"]
    # A limit on processes does not bind root, even in a namespace of its own: so become somebody else.
    line += ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    line += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"] if root else ["--unshare-user"]
    for path in _SYSTEM:
        line += _system(path)
    line += ["--proc", "/proc", "--dev", "/dev", *_scratch("/dev/shm", 1_000_000), "--remount-ro", "/dev"]
    line += _scratch(WORK, limits.scratch)
    places = {**python_paths(), **sandbox.shown}
    line += _parents([*places, *([meeting] if meeting else [])])
    for inside, outside in places.items():
        line += ["--ro-bind", outside, inside]
    for path in sandbox.hidden:
        line += ["--tmpfs", path, "--remount-ro", path]
    line += ["--bind", meeting, meeting] if meeting else []
    line += ["--remount-ro", "/", "--chdir", WORK]
    basis = {"PATH": f"{sys.prefix}/bin:/usr/bin:/bin", "HOME": WORK, "MALLOC_ARENA_MAX": "2"}
    for name, value in {**basis, **sandbox.environment}.items():
        line += ["--setenv", name, value]
    if (number := user()) is not None:
        line += ["setpriv", f"--reuid={number}", f"--regid={number}", "--clear-groups", "--inh-caps=-all"]
        line += ["--bounding-set=-all", "--no-new-privs"]
    line += ["prlimit", f"--nproc={limits.processes}", f"--as={limits.memory}", f"--fsize={limits.scratch}"]
    line += [f"--cpu={limits.cpu}", "--core=0", "--nofile=512", *command]
    return line


def require() -> None:
    """Raise `SandboxMissing` where bubblewrap is not installed, `SandboxRefused` where it may not work."""
    command = wrapped(["true"], Sandbox())
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise SandboxRefused(
            "the system refuses the sandbox",
            f"bubblewrap is installed and said: {said[-1] if said else f'exit code {done.returncode}'}.",
            "Allow it user namespaces, or say --no-sandbox where you trust every learner with this machine.",
        )


def _bubblewrap() -> str:
    for name in ("bwrap", "prlimit", *(["setpriv"] if user() is not None else [])):
        if shutil.which(name) is None:
            raise SandboxMissing(
                "the sandbox is not installed",
                f"{name} is missing.",
                "Install bubblewrap and util-linux (apt install bubblewrap), or say --no-sandbox where you "
                "trust every learner with this machine.",
            )
    return "bwrap"


def _system(path: str) -> list[str]:
    place = Path(path)
    if place.is_symlink() and not path.startswith("/etc"):
        return ["--symlink", str(place.readlink()), path]
    return ["--ro-bind", path, path] if place.exists() else []


def _scratch(path: str, size: int) -> list[str]:
    return ["--perms", "1777", "--size", str(size), "--tmpfs", path]


def _parents(paths: Iterable[str]) -> list[str]:
    """Make the folders above each path, open to everybody: those that bubblewrap makes are closed."""
    above = {str(parent): None for path in paths for parent in reversed(Path(path).parents)}
    made = [path for path in above if path not in {"/", WORK, "/usr", "/etc", "/dev", "/proc"}]
    return [word for path in made for word in ("--perms", "0755", "--dir", path)]
