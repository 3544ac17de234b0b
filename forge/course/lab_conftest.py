"""Decides which tree the tests run on. `forge unpack` writes this file into a lab as its conftest.py."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

LAB = Path(__file__).resolve().parent


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --as."""
    parser.addoption("--as", dest="tree", metavar="TREE", help="start, solution or fault:<id>")


def pytest_configure(config: pytest.Config) -> None:
    """Put the chosen tree in front of every other forge, an installed one included."""
    tree = chosen(config)
    for name in [name for name in sys.modules if name.partition(".")[0] == "forge"]:
        del sys.modules[name]
    sys.path.insert(0, str(tree))
    import forge

    if Path(str(forge.__file__)).resolve().parents[1] != tree:
        raise pytest.UsageError(f"another forge is in the way: {forge.__file__}")


def pytest_report_header(config: pytest.Config) -> str:
    """Say which tree is tested."""
    return f"forge: {chosen(config) / 'forge'}"


def chosen(config: pytest.Config) -> Path:
    """The folder named by --as, else the one the command was run in, else the lab with a tree copied up."""
    name: str | None = config.getoption("tree")
    if name:
        tree: Path = LAB / ("faulty/" + name.removeprefix("fault:") if name.startswith("fault:") else name)
        if not (tree / "forge").is_dir():
            known = ", ".join(["start", "solution", *(f"fault:{path.name}" for path in faults())])
            raise pytest.UsageError(f"no tree is called {name!r}: there is {known}.")
        return tree
    for tree in (config.invocation_params.dir.resolve(), LAB):
        if (tree / "forge").is_dir() and tree.is_relative_to(LAB):
            return tree
    raise pytest.UsageError("no forge here: add --as start, or copy start/forge to forge, or go into a tree.")


def faults() -> list[Path]:
    """The faulty trees."""
    return sorted(path.parent for path in LAB.glob("faulty/*/forge"))
