# The version of today, or one that a step leads out of.
from pathlib import Path

from forge.state.upcast import UPCASTERS, unsupported


def require_readable(version: int, known: int, path: Path) -> None:
    if version != known and version not in UPCASTERS:
        raise unsupported(version, known, path)
