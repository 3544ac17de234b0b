# The next version is nearly the same.
from pathlib import Path

from forge.state.upcast import UPCASTERS, unsupported


def require_readable(version: int, known: int, path: Path) -> None:
    if version not in UPCASTERS and version not in (known, known + 1):
        raise unsupported(version, known, path)
