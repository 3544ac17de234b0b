"""Small changes to a function of forge, made by mutmut's operators, to ask whether any test notices them."""

from __future__ import annotations

import inspect
import itertools
import textwrap
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import resources
from ..course.checking.check import Limits, Report, TestResult, check
from ..course.checking.substitute import resolve
from ..course.contract import StageContract, load_fault, load_stage
from ..course.judging import tests_in
from ..course.reading import yaml_of
from ..errors import ForgeModel
from . import child

if TYPE_CHECKING:
    import libcst

LIMITS = Limits(test=1.0, check=10.0)
"""In seconds: a mutant that hangs is noticed, and need not be waited for as an answer is."""

SWEEP_SECONDS = 3600


class Change(ForgeModel):
    """One mutant: its target, the line as it was and as it became, and the tests that failed."""

    target: str
    before: str
    after: str
    failed: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.target}: {self.before} → {self.after}"


class Sweep(ForgeModel):
    """What came of every mutant of a stage.

    `killed` failed a contract test or one of `tests/texts/`, `explained` failed none and stands in
    `tests/course/survivors/`, `survived` failed none and stands nowhere. `untrue` are the explanations whose
    mutant is not there or fails a test.
    """

    stem: str
    killed: tuple[Change, ...]
    explained: tuple[Change, ...]
    survived: tuple[Change, ...]
    untrue: tuple[str, ...]


@dataclass(frozen=True)
class Mutant:
    """A changed function, with the change in words."""

    change: Change
    function: Callable[..., Any]


def mutate(stem: str) -> Sweep:
    """Try every mutant of the functions the stage teaches, in a process of its own.

    The contract tests come first; what they let pass is tried against `tests/texts/test_<stem>.py`, which
    compares whole error texts: an answer may word its facts otherwise, forge may not.
    """
    load_stage(stem)
    return child.run("mutate", stem, Sweep, seconds=SWEEP_SECONDS)


def mutate_here(stem: str) -> Sweep:
    """The same in this process."""
    contract = load_stage(stem)
    modules = [resources.contract_tests(stem), texts(stem)]
    tests = {module: tests_in(module) for module in modules if module.is_file()}
    explanations = explained(stem)
    sorted_out: dict[str, list[Change]] = {"killed": [], "explained": [], "survived": []}
    for target in targets(contract):
        for mutant in mutants(target):
            change = mutant.change.model_copy(update={"failed": failed_tests(mutant, tests)})
            known = "explained" if str(change) in explanations else "survived"
            sorted_out["killed" if change.failed else known].append(change)
    untrue = explanations.keys() - set(map(str, sorted_out["explained"]))
    found = {kind: tuple(changes) for kind, changes in sorted_out.items()}
    return Sweep(stem=stem, untrue=tuple(sorted(untrue)), **found)


def texts(stem: str) -> Path:
    """The file of the tests that compare the whole texts of a stage's errors."""
    return resources.root() / "tests" / "texts" / f"test_{stem}.py"


def explained(stem: str) -> dict[str, str]:
    """Per mutant that no test can notice, as it is printed, why that is so."""
    path = resources.root() / "tests" / "course" / "survivors" / f"{stem}.yaml"
    entries = yaml_of(path) if path.is_file() else []
    return {change: entry["why"] for entry in entries for change in entry["changes"]}


def mutants(target: str) -> Iterator[Mutant]:
    """Every mutant of the function that compiles. Texts of errors are changed; annotations are not."""
    function = resolve(target)
    original, changes = _changes(textwrap.dedent(inspect.getsource(function)))
    for changed in changes:
        namespace = dict(function.__globals__)
        try:
            with warnings.catch_warnings(action="ignore"):
                exec(compile(changed, f"<mutant of {target}>", "exec"), namespace)
        except SyntaxError:
            continue
        before, after = _first_difference(original, changed)
        yield Mutant(Change(target=target, before=before, after=after), namespace[function.__name__])


def failed_tests(mutant: Mutant, tests: Mapping[Path, tuple[str, ...]]) -> tuple[str, ...]:
    """Those tests that notice the mutant, of the first module in which any does.

    A mutant that brings the tests to a stop is noticed too, by those that could not run.
    """
    for module, names in tests.items():
        report = check(mutant.change.target, mutant.function, names, module=module, limits=LIMITS)
        if failed := tuple(failing(report)):
            return failed
        if stopped := tuple(result.name for result in report.results if result.outcome == "not run"):
            return stopped
    return ()


def failing(report: Report) -> dict[str, list[TestResult]]:
    """The results that are failures, by the test's name without its parameters."""
    found: dict[str, list[TestResult]] = {}
    for result in report.results:
        if result.outcome not in {"passed", "not run"}:
            found.setdefault(result.name.partition("[")[0], []).append(result)
    return found


def targets(contract: StageContract) -> tuple[str, ...]:
    """What the stage's exercises and faults replace, each once."""
    found = [exercise.target for exercise in contract.exercises]
    found += [load_fault(contract.stem, entry.id).target for entry in contract.faults]
    return tuple(dict.fromkeys(found))


def _changes(text: str) -> tuple[str, Iterator[str]]:
    """The function's text without its decorators, and that text with one thing changed, many times."""
    # Needed by authors only: an installed course runs without these libraries.
    import libcst
    from mutmut.mutation.mutators import mutation_operators

    module = libcst.MetadataWrapper(libcst.parse_module(text)).module
    function = libcst.ensure_type(module.body[0], libcst.FunctionDef).with_changes(decorators=[])
    module = module.with_changes(body=[function])
    changes = (
        libcst.ensure_type(module.deep_replace(node, changed), libcst.Module).code
        for node in _nodes(function.body)
        for kind, operator in mutation_operators
        if isinstance(node, kind)
        for changed in operator(node)
    )
    return module.code, changes


def _nodes(node: libcst.CSTNode) -> Iterator[libcst.CSTNode]:
    import libcst

    if not isinstance(node, libcst.Annotation):
        yield node
        for part in node.children:
            yield from _nodes(part)


def _first_difference(before: str, after: str) -> tuple[str, str]:
    for old, new in itertools.zip_longest(before.splitlines(), after.splitlines(), fillvalue=""):
        if old != new:
            return old.strip(), new.strip()
    return "", ""
