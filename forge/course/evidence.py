"""What a stage leaves behind: accepted answers, explanations, a trace of every check, verification.json."""

from __future__ import annotations

import platform
import re
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from ..chain import canonical, freeze, parse, sha256
from ..errors import ForgeModel, InvalidValue, LogError, TornTail
from ..log import Anchor, ChainLog, ScanEnd
from ..storage import atomic_replace

COURSE_VERSION = metadata.version("forge-workbook")

Acceptance = Literal["pending", "accepted"]


class TestOutcome(ForgeModel):
    """One contract test, as the last check of an item saw it."""

    __test__ = False

    item: str
    test: str
    outcome: str


class AnswerDigest(ForgeModel):
    """An accepted answer: its file beside verification.json, and the SHA-256 of that file."""

    item: str
    file: str
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class Verification(ForgeModel):
    """The content of a stage's verification.json. `digest` is the SHA-256 of everything else in it."""

    experiment_id: str
    stage: str
    acceptance: Acceptance
    shown: tuple[str, ...] = Field(strict=False)
    missing: tuple[str, ...] = Field(strict=False)
    tests: tuple[TestOutcome, ...] = Field(strict=False)
    answers: tuple[AnswerDigest, ...] = Field(strict=False)
    trace: Anchor
    versions: dict[str, str]
    digest: str = ""

    def sealed(self) -> Verification:
        """The same with its digest."""
        return self.model_copy(update={"digest": self.computed()})

    def computed(self) -> str:
        """The digest that the content has."""
        return sha256(canonical(self.model_dump(mode="json", exclude={"digest"})))

    def to_bytes(self) -> bytes:
        """The file: canonical JSON and a newline."""
        return canonical(self.model_dump(mode="json")) + b"\n"


def versions() -> dict[str, str]:
    """What the check ran on."""
    return {
        "python": platform.python_version(),
        "course": COURSE_VERSION,
        "pytest": metadata.version("pytest"),
    }


class Evidence:
    """The evidence folder of one stage."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.verification = folder / "verification.json"
        self._trace = ChainLog(folder / "trace.jsonl")

    def trace(self, entry: dict[str, Any]) -> None:
        """Keep the trace of one check, without what looks like a secret."""
        self.folder.mkdir(parents=True, exist_ok=True)
        kept = freeze(without_secrets(entry))
        try:
            self._trace.append(kept)
        except TornTail:
            self._trace.repair()
            self._trace.append(kept)
        except LogError:
            # Damaged, or another file than before: it is set aside whole, and a new trace begins.
            self._set_trace_aside()
            self._trace.append(kept)

    def _set_trace_aside(self) -> None:
        path = self._trace.path
        number = 1
        while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
            number += 1
        if path.exists():
            path.rename(aside)
        self._trace = ChainLog(path)

    def operations(self) -> list[dict[str, Any]]:
        """The traced checks, oldest first, as far as the trace can be trusted."""
        if not self.folder.is_dir():
            return []
        return [item.event for item in self._trace.scan() if not isinstance(item, ScanEnd)]

    def keep_answer(self, item: str, source: str) -> Path:
        """Keep the source of an accepted answer; an earlier one is replaced."""
        return self._keep(f"answers/{item}.py", source)

    def keep_text(self, name: str, text: str) -> Path:
        """Keep a prediction or an explanation."""
        return self._keep(name, text)

    def _keep(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_replace(path, text.rstrip().encode("utf-8") + b"\n")
        return path

    def write(self, verification: Verification) -> Path:
        """Write verification.json."""
        self.folder.mkdir(parents=True, exist_ok=True)
        atomic_replace(self.verification, verification.sealed().to_bytes())
        return self.verification

    def anchor(self) -> Anchor:
        """Where the trace ends, so that a trace cut short later is noticed."""
        try:
            return self._trace.anchor()
        except LogError:
            self._set_trace_aside()
            return self._trace.anchor()

    def trace_holds(self, anchor: Anchor) -> str:
        """Why the trace is not the one the anchor remembers, or nothing."""
        try:
            self._trace.read(start=anchor.count + 1, anchor=anchor)
        except LogError as error:
            return str(error)
        return ""

    def digests(self) -> tuple[AnswerDigest, ...]:
        """The accepted answers on disk."""
        files = sorted((self.folder / "answers").glob("*.py"))
        return tuple(
            AnswerDigest(item=path.stem, file=f"answers/{path.name}", sha256=sha256(path.read_bytes()))
            for path in files
        )


def read_verification(path: Path) -> Verification:
    """The content of a verification.json. A file that is not one raises `InvalidValue`."""
    found = parse(path.read_bytes())
    if not isinstance(found, dict):
        raise InvalidValue("this is not a verification.json", "expected a JSON object.", path=str(path))
    return Verification.model_validate(found)


_SECRETS = re.compile(
    r"""(?ix)
    \b(?:sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[abprs]|hf|npm|pypi)[-_][a-z0-9_\-]{8,}
    | \bAKIA[0-9A-Z]{12,}
    | \beyJ[a-z0-9_\-]+\.[a-z0-9_\-]+\.[a-z0-9_\-]*
    | -----BEGIN[ ][A-Z ]*PRIVATE[ ]KEY-----.*
    | (?<=bearer[ ])[^\s'"]+
    | (?<=://)[^/\s:@]+:[^/\s@]+(?=@)
    | (?:(?<=password)|(?<=passwd)|(?<=secret)|(?<=token)|(?<=api_key)|(?<=apikey)|(?<=api-key))
      ['"]?\s*[:=]\s*['"]?[^\s'",;)]+
    """,
    re.DOTALL,
)


def without_secrets(value: Any) -> Any:
    """The value with every text that looks like a key, a token or a password replaced."""
    if isinstance(value, str):
        return _SECRETS.sub("[filtered]", value)
    if isinstance(value, dict):
        return {key: without_secrets(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_secrets(item) for item in value]
    return value
