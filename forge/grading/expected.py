"""What the reference and the shipped stub give for a case, in a process that runs no learner's code."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from .. import resources
from .answers import answers_in
from .merge import items_of
from .probing import Case, Probes
from .sheet import Sheet, parse
from .stripped import reference
from .verdict import counted

_MARKERS = re.compile(r"^\s*(?:### (?:BEGIN|END) SOLUTION|#\|.*)$\n?", re.MULTILINE)


class Trusted:
    """A process that holds a stage's references and runs them, or the shipped stubs, on cases."""

    def __init__(self, probes: Probes, forge: Path) -> None:
        self.probes = probes
        self._targets = {item.id: item.target for item in probes.items}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "forge.grading.inside.trusted"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=forge,  # it comes first on the path of `python -m`
            env={**os.environ, "PYTHONPATH": str(forge), "PYTHONHASHSEED": "0", "TZ": "UTC"},
        )
        self._ask("prepare", probes.kernel)
        self._ask("provide", {target: reference(target) for target in (*probes.targets(), *probes.given())})
        self._scene = solved_scene(probes.stem)
        self._stubs = stubs(probes.stem)
        self._cheapest: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process.wait()

    def expected(self, item: str, cases: Sequence[Case]) -> list[str]:
        """What the reference gives, case by case."""
        if self._targets[item] in self.probes.targets():
            return self._values(item, cases, reference=True)
        return self.given(item, self._scene, cases)

    def stub(self, item: str, cases: Sequence[Case]) -> list[str]:
        """What the cell gives that learners start from."""
        return self.given(item, self._stubs[item], cases)

    def unearned(self, item: str, cases: Sequence[Case]) -> list[str]:
        """What is given without an answer: by the shipped cell, or by one that does nothing, if that is more.

        Which of them it is, is found out once, on cases of nobody.
        """
        if item not in self._cheapest:
            some = self.probes.cases(item, "")
            expected = self.expected(item, some)
            found = {cell: self.given(item, cell, some) for cell in (self._stubs[item], *_idle(item))}
            self._cheapest[item] = max(found, key=lambda cell: counted(expected, found[cell]))
        return self.given(item, self._cheapest[item], cases)

    def given(self, item: str, cell: str, cases: Sequence[Case]) -> list[str]:
        """What the answer in the text of a cell gives. The text must be trusted."""
        self._ask("cell", cell)
        return self._values(item, cases, reference=False)

    def _values(self, item: str, cases: Sequence[Case], *, reference: bool) -> list[str]:
        found = self._ask("values", item, self._targets[item], [case.given for case in cases], reference)
        if found is None:
            raise RuntimeError(f"{item} of {self.probes.stem} was not answered by its cell")
        return list(found)

    def _ask(self, *request: Any) -> Any:
        pipes = self._process.stdin, self._process.stdout
        assert pipes[0] is not None
        assert pipes[1] is not None
        pipes[0].write(json.dumps(request) + "\n")
        pipes[0].flush()
        line = pipes[1].readline()
        if not line:
            raise RuntimeError(f"the trusted process of {self.probes.stem} ended at {request[:2]}")
        return json.loads(line)


def _idle(item: str) -> Iterator[str]:
    """Cells that answer an item with nothing, or with what they were given."""
    for found in ("None", "True", "given[0]", "given[-1]"):
        yield f'@stage.exercise("{item}")\ndef idle(*given, **_):\n    return {found}\n'


def pristine(stem: str) -> Sheet:
    """The notebook that learners start from."""
    return parse(resources.notebook(stem).read_bytes())


def stubs(stem: str) -> dict[str, str]:
    """By item: the text of the cell that learners start from."""
    sheet = pristine(stem)
    return {item: next(c.text for c in sheet.cells if _answers(c.text, item)) for item in items_of(sheet)}


def solved_scene(stem: str) -> str:
    """The cell of a stage's source that answers its transfer."""
    text = resources.source(stem).read_text(encoding="utf-8")
    for cell in re.split(r"^# %%.*$\n", text, flags=re.MULTILINE):
        if "@stage.transfer(" in cell:
            return _MARKERS.sub("", cell)
    raise RuntimeError(f"{stem} has no transfer")


def _answers(text: str, item: str) -> bool:
    return any(answer.id == item for answer in answers_in(text))
