"""Work on one stage in a process of its own, so that nothing in an answer can hang or spoil the rest."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TypeVar

from ..errors import BuildFailed, ForgeModel

Result = TypeVar("Result", bound=ForgeModel)
_PACKAGES = str(Path(__file__).resolve().parents[2])
_LEARNERS = frozenset({"FORGE_WORKSPACE", "FORGE_GRADING"})
_SHOWN = 200
_PLACE = re.compile(r'\s*File "(.+)", line (\d+)')


def run(task: str, stem: str, result: type[Result], *, seconds: float) -> Result:
    """What `python -m forge.authoring TASK STEM FILE` writes to FILE.

    The child is ended after `seconds`; then, or when it writes nothing, `BuildFailed` is raised with the end
    of what it printed.
    """
    with tempfile.TemporaryDirectory(prefix="forge-prove-") as folder:
        file = Path(folder) / "result.json"
        try:
            ended = subprocess.run(
                [sys.executable, "-m", __package__, task, stem, str(file)],
                env=environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            words = "a stage takes too long to prove"
            raise BuildFailed(words, f"{stem} was ended after {seconds:g} s.", stage=stem) from None
        if not file.is_file():
            said = _last(ended.stderr.decode(errors="replace")) or f"it ended with code {ended.returncode}"
            hint = f"All of it: python -m {__package__} {task} {stem} FILE"
            raise BuildFailed("the proof of a stage broke off", f"{said}.", hint, stage=stem)
        return result.model_validate_json(file.read_bytes())


def _last(said: str) -> str:
    """The last line of a traceback, with the file and line that it ends in."""
    lines = said.strip().splitlines()
    places = [match for line in lines if (match := _PLACE.match(line))]
    place = f"{Path(places[-1][1]).name}, line {places[-1][2]}: " if places else ""
    return place + lines[-1][:_SHOWN] if lines else ""


def environment() -> dict[str, str]:
    """The environment for a process of the authoring tools.

    It names no learner's workspace and no grader, and the package that runs now is the one that is imported.
    """
    kept = {name: value for name, value in os.environ.items() if name not in _LEARNERS}
    search = [_PACKAGES, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**kept, "PYTHONPATH": os.pathsep.join(search), "PYTHONHASHSEED": "0"}
