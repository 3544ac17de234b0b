"""What a batch keeps in its folder, to be taken up again: its secret, and a result a submission."""

from __future__ import annotations

import re
import secrets
from hashlib import sha256
from pathlib import Path

from ..errors import ForgeError
from ..storage import atomic_replace
from .results import Result


def secret(out: Path) -> str:
    """The secret of the batch, made once: the same cases come again when it is graded again."""
    path = out / ".secret"
    if not path.exists():
        atomic_replace(path, secrets.token_hex(32).encode())
        path.chmod(0o600)
    return path.read_text(encoding="utf-8")


def safe(name: str) -> str:
    """A learner's name as the name of a file: what is odd in it is replaced, and told apart by a digest."""
    plain = re.sub(r"[^\w@.+ -]", "_", name).lstrip(".")[:80]
    return (
        plain
        if plain == name
        else f"{plain}-{sha256(name.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"
    )


def read(out: Path, learner: str, stage: str) -> Result | None:
    """The result that is kept, or None where there is none or it cannot be read."""
    try:
        return Result.model_validate_json(_place(out, learner, stage).read_bytes())
    except (OSError, ForgeError, ValueError):
        return None


def keep(out: Path, result: Result) -> None:
    """Keep a result, durably and whole."""
    atomic_replace(_place(out, result.learner, result.stage), result.model_dump_json(indent=1).encode())


def _place(out: Path, learner: str, stage: str) -> Path:
    return out / "results" / safe(learner) / f"{stage}.json"
