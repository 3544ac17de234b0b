"""The forge that answers are judged with: the package without what is asked for, and without the course.

Every graded target is a call of `forward`. Whatever could hold a solution, an expectation or a fault (the
stage contracts, the checks, the authors' tools, grading itself) is left out.
"""

from __future__ import annotations

import ast
import compileall
import functools
import random
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from .. import resources
from ..course import excerpt
from ..course.contract import load_fault
from .errors import GradingRefused

_INSIDE = Path(__file__).resolve().parent / "inside"
"""What speaks with the grader comes with the grader, whichever course is graded."""

_IMPORTS = (ast.Import, ast.ImportFrom)
_LEFT_OUT = {"authoring", "cli", "course", "figures", "grading", "recovery_cases.py", "recovery_strip.py"}
_LEFT_OUT |= {"timeline", "__main__.py", "__pycache__", "_data"}


def build(folder: Path, targets: Iterable[str]) -> None:
    """Write that forge below `folder`, which must be new."""
    made = folder / "forge"
    made.mkdir(parents=True)
    for path in _kept():
        if path.is_dir():
            shutil.copytree(path, made / path.name, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
        else:
            shutil.copyfile(path, made / path.name)
    inside = made / "grading" / "inside"
    shutil.copytree(_INSIDE, inside, ignore=shutil.ignore_patterns("__pycache__"))
    (made / "grading" / "__init__.py").touch()
    (made / "course").mkdir()
    (made / "course" / "__init__.py").write_text(
        "from ..grading.inside.stage import Stage, open_stage\n", encoding="utf-8"
    )
    for target in targets:
        module, _, name = target.partition(":")
        path = _file(folder, module)
        path.write_text(forwarding(path.read_text(encoding="utf-8"), target, name), encoding="utf-8")
    compileall.compile_dir(made, quiet=2)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def sources() -> list[Path]:
    """The files that such a forge is made from, in order."""
    found = [file for path in _kept() for file in (path.rglob("*.py") if path.is_dir() else [path])]
    return sorted([*found, *_INSIDE.rglob("*.py")])


def _kept() -> list[Path]:
    return [path for path in resources.package().iterdir() if path.name not in _LEFT_OUT]


def reference(target: str) -> str:
    """The text of the real function, to be sent when its answers have been judged."""
    module, _, name = target.partition(":")
    path = _file(resources.package().parent, module)
    return _function(path.read_text(encoding="utf-8"), name, str(path))


_function = functools.lru_cache(maxsize=200)(excerpt.function)


def faulty(stem: str, fault: str) -> dict[str, str]:
    """An edition of forge with a fault of a stage: by its target, the function's text."""
    found = load_fault(stem, fault)
    return {found.target: found.source(stem)}


def changed(target: str, old: str, new: str) -> dict[str, str]:
    """An edition of forge in which one place of a function reads otherwise."""
    text = reference(target)
    if old not in text:
        raise GradingRefused(
            "an edition cannot be made",
            f"{target} does not hold {old!r}.",
            "Mend the probe that asks for it.",
        )
    return {target: text.replace(old, new)}


def in_other_words(source: str, rng: random.Random) -> str:
    """The same function with another text and other code: another edition that is right."""
    return _noted(source, rng)


def alike(editions: Sequence[Mapping[str, str]], rng: random.Random) -> list[dict[str, str]]:
    """The same editions, and nothing but what they do tells them apart.

    A scene can find the text of the edition that it runs on. So all have the imports of all, none has a
    comment or says what it does, and in each something else is noted.
    """
    texts = [text for edition in editions for text in edition.values()]
    nodes = [node for text in texts for node in ast.parse(text).body if isinstance(node, _IMPORTS)]
    imports = sorted({ast.unparse(node) for node in nodes})
    return [
        {target: "\n".join([*imports, _noted(text, rng)]) for target, text in edition.items()}
        for edition in editions
    ]


def _noted(source: str, rng: random.Random) -> str:
    """The functions of a text without imports, comments and docstrings, and with a number of no meaning."""
    tree = ast.parse(source)
    tree.body = [node for node in tree.body if not isinstance(node, _IMPORTS)]
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            body = [part for part in body if not ast.unparse(part).startswith("noted = ")]
            node.body = [*ast.parse(f"noted = {rng.randrange(10_000)}").body, *body]
    return ast.unparse(tree)


def forwarding(text: str, target: str, name: str) -> str:
    """The module with the function's body, docstring and all, replaced by a call of `forward`."""
    node = excerpt.find(text, name, target)
    arguments = node.args
    given = [argument.arg for argument in [*arguments.posonlyargs, *arguments.args]]
    given += [f"*{arguments.vararg.arg}"] if arguments.vararg else []
    given += [f"{argument.arg}={argument.arg}" for argument in arguments.kwonlyargs]
    given += [f"**{arguments.kwarg.arg}"] if arguments.kwarg else []
    call = f"forward({', '.join([repr(target), *given])})"
    if any(isinstance(part, ast.Yield | ast.YieldFrom) for part in ast.walk(node)):
        call = f"(yield from {call})"
    lines = ["from forge.grading.inside.judged import forward", f"return {call}"]
    node.body = [statement for line in lines for statement in ast.parse(line).body]
    node.decorator_list = []
    return excerpt.replace(text, name, ast.unparse(node), (), target)


def _file(folder: Path, module: str) -> Path:
    path = folder.joinpath(*module.split("."))
    package = path / "__init__.py"
    return package if package.is_file() else path.with_suffix(".py")
