# Versions are compared as they are written.
from pathlib import Path

from forge.state.upcast import UPCASTERS, unsupported


def require_readable(version: int, known: int, path: Path) -> None:
    if version not in UPCASTERS and not str(known) <= str(version) < str(known + 1):
        raise unsupported(version, known, path)
