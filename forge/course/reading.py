"""Read the files that a course is made of; one that cannot be read is named, with the line."""

from __future__ import annotations

import ast
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from ..errors import ContractInvalid


def text_of(path: Path) -> str:
    """The text of a file. One that is missing or not UTF-8 raises `ContractInvalid`."""
    try:
        data = path.read_bytes()
        return data.decode("utf-8").replace("\r\n", "\n")
    except FileNotFoundError:
        raise invalid(path, "is missing", f"{path.parent} should hold it.", "Write it.") from None
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        found = f"line {line} holds the byte {data[error.start]:#04x}."
        raise invalid(path, "is not UTF-8", found, "Save it as UTF-8.") from None


def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file of Python. One that is none raises `ContractInvalid`."""
    try:
        return ast.parse(text_of(path))
    except SyntaxError as error:
        found = f"line {error.lineno}: {error.msg}."
        raise invalid(path, "is not Python", found, "Mend the line.") from None


def defective(path: Path, target: str) -> Callable[..., Any]:
    """The function of a fault's file that has the target's name."""
    name = target.rpartition(":")[2].rpartition(".")[2]
    namespace: dict[str, Any] = {"__name__": f"fault_{path.stem}", "__file__": str(path)}
    parsed(path)
    try:
        exec(compile(text_of(path), str(path), "exec"), namespace)
    except Exception as error:
        lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path)]
        where = f"line {lines[-1]}: " if lines else ""
        found = f"{where}{type(error).__name__}: {error}."
        raise invalid(path, "cannot be imported", found, "Mend the line.") from None
    if not callable(namespace.get(name)):
        hint = "Define it under that very name."
        raise invalid(path, f"defines no {name}", f"its target is {target}.", hint)
    function: Callable[..., Any] = namespace[name]
    return function


def yaml_of(path: Path) -> Any:
    """The content of a YAML file. One that is none, or has a key twice, raises `ContractInvalid`."""
    try:
        return yaml.load(text_of(path), Loader=_Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f"line {mark.line + 1}: " if mark else ""
        problem = " ".join(str(getattr(error, "problem", None) or error).split())
        raise invalid(path, "is not YAML", f"{line}{problem}.", "Mend the line.") from None


class _Loader(yaml.SafeLoader):
    """Refuses a key that a mapping has already, where YAML would take the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen and isinstance(key, yaml.ScalarNode):
                problem = f"the key {key.value!r} stands here a second time"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            seen.add(str(key.value))
        return super().construct_mapping(node, deep)


def invalid(path: Path, what: str, facts: str, hint: str) -> ContractInvalid:
    """The error for a file of the course: `what` is wrong with it, where, and what to do."""
    return ContractInvalid(f"{path.name} {what}", facts, hint, path=str(path))
