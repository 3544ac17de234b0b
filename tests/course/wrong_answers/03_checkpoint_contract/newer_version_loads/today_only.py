# Only the version of today can be read.
from pathlib import Path

from forge.state.upcast import UPCASTERS, unsupported


def require_readable(version: int, known: int, path: Path) -> None:
    if version != known:
        raise unsupported(version, known, path)
