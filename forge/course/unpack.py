"""The lab of a stage as files: the package unsolved, solved and broken, with its tests and fixtures.

    DIR/start/forge          the exercises' functions as the learner's notebook gives them
    DIR/solution/forge       the real package
    DIR/faulty/<id>/forge    the same with one fault; DIR/faulty/tests is what ../tests means there
    DIR/tests/test_stage.py  the contract tests of the stage
    DIR/fixtures/failure.json

A tree holds the modules that the stage's tests and targets import, and no others.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from .. import resources
from ..errors import CourseError, StorageError
from . import excerpt
from .closure import modules_of
from .contract import Fault, StageContract, load_fault, load_stage
from .notebooks import notebook_of
from .reading import text_of

Tree = dict[str, str]
"""The text of every file of a tree, by its path with forward slashes."""


def unpack(stem: str, to: Path) -> list[str]:
    """Lay out the lab in `to`, a new or empty folder, and return what can be run in it, line by line.

    A folder that holds anything is refused with `StorageError`; until every file is written, `to` is not
    touched. An unknown stem raises `NotInCourse`.
    """
    contract = load_stage(stem)
    _require_empty(to)
    to.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".forge-unpack-", dir=to.parent) as scratch:
        building = Path(scratch) / "lab"
        for name, text in _files(contract).items():
            path = building.joinpath(*name.split("/"))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        if to.exists():  # it may be the folder that a shell stands in, or a mount point
            for child in building.iterdir():
                child.rename(to / child.name)
        else:
            building.rename(to)
    lines = [f"{contract.title} is laid out in {to}, which is “here” below."]
    for sentence, commands in _commands(contract, _labs(contract)):
        lines += [sentence, *(f"    {command}" for command in commands)]
    return lines


def _require_empty(to: Path) -> None:
    if not to.exists() or (to.is_dir() and not any(to.iterdir())):
        return
    held = "is a file" if to.is_file() else f"holds {min(path.name for path in to.iterdir())}"
    raise StorageError(
        "a lab is laid out in an empty folder only",
        f"{to} {held}.",
        "Name a new folder; nothing was changed.",
        path=str(to),
        operation="unpack",
    )


def _files(contract: StageContract) -> Tree:
    stem = contract.stem
    tests = text_of(resources.contract_tests(stem))
    faults = _labs(contract)
    targets = [exercise.target for exercise in contract.exercises] + [fault.target for fault in faults]
    solution = modules_of(tests, [target.partition(":")[0] for target in targets])
    trees = {"start": _start(contract, solution), "solution": solution}
    trees |= {f"faulty/{fault.id}": _faulty(stem, fault, solution) for fault in faults}
    files = {f"{tree}/{name}": text for tree, held in trees.items() for name, text in held.items()}
    return files | {
        "tests/test_stage.py": tests,
        "faulty/tests/test_stage.py": tests,
        "fixtures/failure.json": _failure(faults),
        "conftest.py": Path(__file__).with_name("lab_conftest.py").read_text(encoding="utf-8"),
        "pytest.ini": "[pytest]\ntestpaths = tests\naddopts = --import-mode=importlib\n",
        "README.md": _readme(contract, faults),
    }


def _start(contract: StageContract, solution: Tree) -> Tree:
    """The core exercises’ functions as they are given; the first on a function decides how it starts.

    What the stage begins without is left out.
    """
    tree = {name: text for name, text in solution.items() if not _absent(contract, name)}
    started: set[str] = set()
    for exercise in (exercise for exercise in contract.exercises if exercise.path == "core"):
        if exercise.target not in started and not _absent(contract, _file_of(exercise.target, solution)):
            started.add(exercise.target)
            stub, place = _stub(contract.stem, exercise.id), f"the cell of exercise {exercise.id}"
            _put(tree, exercise.target, stub, place)
    return tree


def _absent(contract: StageContract, name: str) -> bool:
    """Whether the file belongs to a module that the learner has yet to write."""
    module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return any(module == missing or module.startswith(f"{missing}.") for missing in contract.starts_without)


def _stub(stem: str, exercise: str) -> str:
    """The cell of the learner's notebook that asks for the exercise."""
    path = resources.notebook(stem)
    if not path.is_file():
        raise CourseError("a stage has no notebook", f"{path.name} is missing.", "Run forge build.")
    for cell in notebook_of(path).cells:
        text: str = cell.source
        if cell.cell_type == "code" and f'exercise("{exercise}")' in text:
            return text
    raise CourseError(f"the notebook asks for no exercise {exercise!r}", path.name, "Run forge build.")


def _faulty(stem: str, fault: Fault, solution: Tree) -> Tree:
    tree = dict(solution)
    _put(tree, fault.target, fault.source(stem), f"{fault.id}.py")
    return tree


def _put(tree: Tree, target: str, text: str, place: str) -> None:
    """Put the target's namesake from `text` in the target's place, with the imports it needs."""
    path, name = _file_of(target, tree), target.partition(":")[2]
    function = excerpt.function(text, name.rpartition(".")[2], place)
    tree[path] = excerpt.replace(tree[path], name, function, excerpt.imports(text, function), path)


def _file_of(target: str, tree: Tree) -> str:
    """The path of the target's module in a tree."""
    path = target.partition(":")[0].replace(".", "/")
    return f"{path}.py" if f"{path}.py" in tree else f"{path}/__init__.py"


def _labs(contract: StageContract) -> list[Fault]:
    return [load_fault(contract.stem, entry.id) for entry in contract.faults if entry.path != "transfer"]


def _failure(faults: list[Fault]) -> str:
    """The faults' stories and contracts: the first at the top, all of them under `faults`."""
    told = [{**fault.model_dump(mode="json"), "tree": f"faulty/{fault.id}"} for fault in faults]
    return json.dumps({**(told[0] if told else {}), "faults": told}, indent=2, ensure_ascii=False) + "\n"


def _commands(contract: StageContract, faults: list[Fault]) -> list[tuple[str, list[str]]]:
    """What can be run: a sentence that names the folder, and the commands for it."""
    test = contract.exercises[0].tests[0]
    everything = "python -m pytest -q tests/test_stage.py"
    trees = ["start", "solution", *(f"fault:{fault.id}" for fault in faults)]
    return [
        ("Here, on any tree:", [f"{everything} --as {tree}" for tree in trees]),
        ("Here, after you copied a tree up, for instance start/forge to forge:", [everything]),
        ("In start, and in solution:", [f"python -m pytest -q ../tests/test_stage.py::{test}"]),
        *((f"In faulty/{fault.id}:", [fault.command]) for fault in faults),
    ]


def _readme(contract: StageContract, faults: list[Fault]) -> str:
    parts = [f"# {contract.title}", _LAYOUT]
    for sentence, commands in _commands(contract, faults):
        parts += [sentence, "\n".join(["```", *commands, "```"])]
    return "\n\n".join(parts) + "\n"


_LAYOUT = """\
`start/forge` is the package with the exercise's function unfinished, `solution/forge` the finished one.
`faulty/` holds the finished one with one fault in each tree; `fixtures/failure.json` tells the faults'
stories. `tests/test_stage.py` holds the contract tests of the stage. `faulty/tests` holds the same file, so
that `../tests` means it there too. The tests always run on a tree of this folder, never on an installed
forge; without `-q` the first lines say on which."""
