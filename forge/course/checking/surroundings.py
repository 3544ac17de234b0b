"""Run other people's code in this process, and find the process afterwards as it was."""

from __future__ import annotations

import atexit
import builtins
import functools
import gc
import io
import logging
import os
import pdb
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from types import ModuleType
from typing import IO, Any, NoReturn, cast


@contextmanager
def undisturbed(module: Path | None = None) -> Iterator[None]:
    """Put back what the block changes: environment, folder, import path, warnings, logging, interpreter.

    Nobody can be asked for input in the block.
    `module`, a file of tests, is imported anew in the block and forgotten after it: a stale import would
    pass old code. pytest's own environment variables do not reach into the block.
    """
    environment = dict(os.environ)
    folder = _folder()
    path = list(sys.path)
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    asks = builtins.input, sys.breakpointhook, sys.stdin, pdb.set_trace
    builtins.input = sys.breakpointhook = pdb.set_trace = _nobody_there
    sys.stdin = io.StringIO()
    runs = _interpreter()
    last = {name: getattr(sys, name) for name in _LAST if hasattr(sys, name)}
    forgotten = _forget(module)
    for name in [name for name in os.environ if name.startswith("PYTEST_")]:
        del os.environ[name]
    try:
        with warnings.catch_warnings():
            yield
    finally:
        builtins.input, sys.breakpointhook, sys.stdin, pdb.set_trace = asks
        for (_, put_back), before in zip(_INTERPRETER, runs, strict=True):
            put_back(before)
        _forget(module)
        sys.modules.update(forgotten)
        if dict(os.environ) != environment:
            os.environ.clear()
            os.environ.update(environment)
        with suppress(OSError):
            os.chdir(folder)
        sys.path[:] = path
        root.handlers[:], root.level = handlers, level
        for name in _LAST:
            if name in last:
                setattr(sys, name, last[name])
            elif hasattr(sys, name):
                delattr(sys, name)


_INTERPRETER: tuple[tuple[Callable[[], Any], Callable[[Any], object]], ...] = (
    (sys.gettrace, sys.settrace),
    (sys.getprofile, sys.setprofile),
    (sys.getrecursionlimit, sys.setrecursionlimit),
    (gc.isenabled, lambda enabled: gc.enable() if enabled else gc.disable()),
    (lambda: tempfile.tempdir, lambda folder: setattr(tempfile, "tempdir", folder)),
)
"""How the interpreter runs: what asks, and what puts the answer back."""


def _interpreter() -> list[Any]:
    return [ask() for ask, _ in _INTERPRETER]


def _folder() -> Path:
    """The current folder; one that was removed is left for the temporary folder."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        os.chdir(tempfile.gettempdir())
        return Path.cwd()


def _nobody_there(*_args: object, **_options: object) -> NoReturn:
    raise EOFError("nobody can be asked during a check")


_LAST = ("last_exc", "last_type", "last_value", "last_traceback")
# What %debug looks at: a user's own error, not one from a test of a check.


def _forget(module: Path | None) -> dict[str, ModuleType]:
    if module is None:
        return {}
    names = [name for name, loaded in list(sys.modules.items()) if _comes_from(loaded, module)]
    return {name: sys.modules.pop(name) for name in names}


def _comes_from(loaded: object, module: Path) -> bool:
    return getattr(loaded, "__dict__", {}).get("__file__") == str(module)


@contextmanager
def kept_bytecode(module: Path) -> Iterator[None]:
    """Keep the compiled form of `module` for the next check, whatever its folder or the settings allow.

    Its tests' assertions are rewritten by pytest, which takes longer than to run them. The folder belongs to
    this process, and an edited module has another one.
    """
    before = sys.pycache_prefix, sys.dont_write_bytecode
    edition = module.stat()
    sys.pycache_prefix = str(_bytecode() / f"{edition.st_mtime_ns}-{edition.st_size}")
    sys.dont_write_bytecode = False
    try:
        yield
    finally:
        sys.pycache_prefix, sys.dont_write_bytecode = before


@functools.cache
def _bytecode() -> Path:
    folder = tempfile.mkdtemp(prefix="forge-bytecode-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


class Output(io.BufferedIOBase):
    """Keeps the first bytes that are written to it, and only counts the rest."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept = bytearray()
        self._cut = False

    def writable(self) -> bool:
        """It can be written to."""
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        """Keep what fits."""
        room = self._limit - len(self._kept)
        self._kept += bytes(data[:room]) if room > 0 else b""
        self._cut = self._cut or len(data) > room
        return len(data)

    def text(self) -> str:
        """What was kept. If something was cut, it says so at its end."""
        end = _CUT if self._cut else ""
        kept = self._kept[: self._limit - len(end.encode())]
        return kept.decode("utf-8", errors="ignore") + end


_CUT = "\n… (the rest was cut)"


@contextmanager
def captured(limit: int) -> Iterator[Output]:
    """Collect what the block prints, to both streams, up to `limit` bytes.

    What a process that the block starts prints goes where the kernel's own output goes, and is not counted:
    redirecting the descriptors themselves would take the output of the kernel's other threads along.
    """
    output = Output(limit)
    stream = io.TextIOWrapper(cast(IO[bytes], output), "utf-8", "backslashreplace", write_through=True)
    with redirect_stdout(stream), redirect_stderr(stream):
        yield output
