# As the notebook's solved edition has it.
from pathlib import Path

from forge.state.upcast import UPCASTERS, unsupported


def require_readable(version: int, known: int, path: Path) -> None:
    """Refuse every version but the known one, and those that a step leads out of."""
    if version != known and version not in UPCASTERS:
        raise unsupported(version, known, path)
