# The versions that can be read, listed.
from pathlib import Path

from forge.state.upcast import UPCASTERS, unsupported


def require_readable(version: int, known: int, path: Path) -> None:
    readable = {*UPCASTERS, known}
    if version not in readable:
        raise unsupported(version, known, path)
