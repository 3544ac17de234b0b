from pathlib import Path

from forge.state.upcast import UPCASTERS, unsupported


def require_readable(version: int, known: int, path: Path) -> None:
    """Refuse a version that is so old that no step leads out of it."""
    if version < known and version not in UPCASTERS:
        raise unsupported(version, known, path)
