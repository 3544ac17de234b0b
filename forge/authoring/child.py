"""Work on one stage in a process of its own, so that nothing in an answer can hang or spoil the rest."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TypeVar

from ..errors import BuildFailed, ForgeModel

Result = TypeVar("Result", bound=ForgeModel)
_PACKAGES = str(Path(__file__).resolve().parents[2])
_LEARNERS = frozenset({"FORGE_WORKSPACE", "FORGE_GRADING"})
_SHOWN = 800


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
            said = ended.stderr.decode(errors="replace").strip()[-_SHOWN:]
            raise BuildFailed("the proof of a stage broke off", f"{stem}: {said}", stage=stem)
        return result.model_validate_json(file.read_bytes())


def environment() -> dict[str, str]:
    """The environment for a process of the authoring tools.

    It names no learner's workspace and no grader, and the package that runs now is the one that is imported.
    """
    kept = {name: value for name, value in os.environ.items() if name not in _LEARNERS}
    search = [_PACKAGES, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**kept, "PYTHONPATH": os.pathsep.join(search), "PYTHONHASHSEED": "0"}
