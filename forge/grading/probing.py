"""The probes of a stage: which inputs an answer is run on, and in which order the answers are judged.

`solutions/probes/<stem>.py` is a file of `# %%` cells. Those tagged `kernel` are sent to the kernel that runs
the answers and define, for each item, a function of the item's name that runs an answer on one input. The
others stay with the grader: `PROBES` names, for each item, a function that makes the inputs from a random
generator, as pairs of what is shown and the input as JSON.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import hmac
import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .. import resources
from ..course.contract import StageContract, load_fault, load_stage
from .errors import GradingRefused
from .stripped import alike, reference

_CELL = re.compile(r"^# %%(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """One input: what it shows, in words that give nothing away, and the input itself."""

    says: str
    given: Any


@dataclass(frozen=True)
class Item:
    """Something that is judged: its id, its target, its points, its hints."""

    id: str
    kind: str
    title: str
    target: str
    points: int
    hints: tuple[str, ...]


@dataclass(frozen=True)
class Probes:
    """The probes of one stage. `items` stand in the order in which they are judged."""

    stem: str
    kernel: str
    items: tuple[Item, ...]
    make: dict[str, Callable[[random.Random], Iterable[tuple[str, Any]]]]

    def cases(self, item: str, seed: str) -> tuple[Case, ...]:
        """The inputs of an item for a seed, in an order that says nothing."""
        rng = random.Random(f"{seed}/{item}")
        found = [Case(says, given) for says, given in self.make[item](rng)]
        if item == load_stage(self.stem).transfer.id:
            same = alike([case.given for case in found], rng)
            found = [Case(case.says, given) for case, given in zip(found, same, strict=True)]
        rng.shuffle(found)
        return tuple(found)

    def targets(self) -> tuple[str, ...]:
        """The graded functions of forge, in the order in which they are judged; not the scene."""
        scene = load_stage(self.stem).transfer.target
        return tuple(dict.fromkeys(item.target for item in self.items if item.target != scene))

    def inputs(self, item: str, cases: Sequence[Case]) -> str:
        """The SHA-256 of all that an answer is run on: its cases, how they are run, and what it can call.

        What it can call are the references of the targets judged before its own, and those of `given`.
        """
        target = next(one.target for one in self.items if one.id == item)
        targets = self.targets()
        before = targets[: targets.index(target)] if target in targets else targets
        others = frozenset(one.id for one in self.items if one.id != item)
        called = {name: reference(name) for name in (*before, *self.given())}
        found = [[[case.says, case.given] for case in cases], _without(self.kernel, others), called]
        return hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()

    def given(self) -> tuple[str, ...]:
        """Functions that nobody is asked for, and that differ in the editions that a transfer meets."""
        names = load_stage(self.stem).transfer.must_notice
        targets = dict.fromkeys(load_fault(self.stem, name).target for name in names)
        return tuple(target for target in targets if target not in self.targets())


@functools.cache
def load(stem: str) -> Probes:
    """The probes of a stage. A stage without a file of them raises `GradingRefused`."""
    path = resources.root() / "solutions" / "probes" / f"{stem}.py"
    if not path.is_file():
        raise GradingRefused("this stage has no probes", f"{path.name} is not in solutions/probes.")
    text = path.read_text(encoding="utf-8")
    names: dict[str, Any] = {"__name__": f"probes_{stem}"}
    exec(compile(text, str(path), "exec"), names)
    known = {item.id: item for item in _items(load_stage(stem))}
    if differing := known.keys() ^ names["PROBES"].keys():
        facts = f"{', '.join(sorted(differing))} stands in one and not in the other."
        raise GradingRefused("probes and contract do not name the same items", facts, f"Mend {path.name}.")
    items = tuple(known[name] for name in names["PROBES"])
    return Probes(stem, "\n".join(_kernel_cells(text)), items, names["PROBES"])


def stems() -> tuple[str, ...]:
    """The stages that have probes."""
    return tuple(sorted(path.stem for path in (resources.root() / "solutions" / "probes").glob("*.py")))


def case_seed(secret: str, learner: str, stem: str) -> str:
    """The seed of a learner's cases: nobody can tell it without the batch's secret, and it stays the same."""
    return hmac.new(secret.encode(), f"{learner}\0{stem}".encode(), hashlib.sha256).hexdigest()


@functools.lru_cache(maxsize=200)
def _without(kernel: str, functions: frozenset[str]) -> str:
    tree = ast.parse(kernel)
    tree.body = [node for node in tree.body if getattr(node, "name", "") not in functions]
    return ast.unparse(tree)


def _kernel_cells(text: str) -> Iterator[str]:
    parts = _CELL.split(text)
    for head, body in zip(parts[1::2], parts[2::2], strict=True):
        if '"kernel"' in head:
            yield body


def _items(stage: StageContract) -> Iterator[Item]:
    for exercise in stage.exercises:
        yield Item(exercise.id, "exercise", exercise.title, exercise.target, exercise.points, exercise.hints)
    for entry in stage.faults:
        if entry.path != "transfer":
            fault = load_fault(stage.stem, entry.id)
            yield Item(fault.id, "repair", fault.title, fault.target, REPAIR_POINTS, fault.hints)
    last = stage.transfer
    yield Item(last.id, "transfer", last.title, last.target, last.points, last.hints)


REPAIR_POINTS = 5
"""A repair has no points of its own in its contract."""
