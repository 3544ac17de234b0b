"""The table of the 24 mechanisms, and their switches."""

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from forge.errors import InvalidValue
from forge.harness.harness import Harness
from forge.harness.mechanisms import MECHANISMS, SWITCHES, require_switches, table
from forge.harness.mock import MockProvider, contradicting

HERE = Path(__file__).parent


def test_the_table_has_24_mechanisms_and_no_empty_cell():
    print(table())
    assert [mechanism.number for mechanism in MECHANISMS] == list(range(1, 25))
    for mechanism in MECHANISMS:
        for column, cell in mechanism._asdict().items():
            assert cell or (column == "switch" and mechanism.number in (1, 24)), (mechanism.title, column)
    assert len(table().splitlines()) == 25


def test_the_groups_are_seven_besides_the_loop_and_the_whole():
    groups = {}
    for mechanism in MECHANISMS:
        groups.setdefault(mechanism.group, []).append(mechanism.number)
    assert groups == {
        "loop": [1],
        "tools": [2, 3, 16, 17, 18],
        "processes": [5, 6, 7, 8],
        "persistence": [9, 21, 22],
        "memory": [10, 11, 12, 15],
        "context": [13, 14],
        "safety": [4, 23],
        "interaction": [19, 20],
        "whole": [24],
    }


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda mechanism: mechanism.title)
def test_a_mechanism_has_a_module_that_names_it_and_is_short(mechanism):
    spec = importlib.util.find_spec(f"forge.harness.{mechanism.module}")
    lines = Path(spec.origin).read_text().splitlines()
    assert len(lines) <= 220
    assert mechanism.number == 24 or f"echanism {mechanism.number}" in "\n".join(lines[:6])


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda mechanism: mechanism.title)
def test_a_mechanism_has_the_test_that_the_table_names(mechanism):
    file, _, name = mechanism.test.partition("::")
    functions = [
        node.name for node in ast.parse((HERE / file).read_text()).body if isinstance(node, ast.FunctionDef)
    ]
    assert name in functions


@pytest.mark.parametrize("switch", sorted(SWITCHES))
def test_the_loop_runs_with_any_one_mechanism_switched_off(switch, tmp_path):
    with Harness(tmp_path, "s1", MockProvider(contradicting()), off={switch}) as harness:
        assert harness.send("go").text == "Done."


def test_the_loop_runs_with_every_mechanism_switched_off(tmp_path):
    with Harness(tmp_path, "s1", MockProvider(contradicting()), off=SWITCHES) as harness:
        assert harness.send("go").text == "Done."
        assert not harness.audit.path.exists()


def test_a_switch_that_there_is_not_is_refused(tmp_path):
    with pytest.raises(InvalidValue, match="found 'permission'"):
        require_switches({"permission"})
    with pytest.raises(InvalidValue, match="no mechanism has this switch"):
        Harness(tmp_path, "s1", MockProvider([]), off={"loop"})


def test_the_course_does_not_wait_for_the_harness_nor_the_loop_for_servers():
    course = "import sys, forge.course, forge.cli\nassert 'forge.harness' not in sys.modules"
    unwanted = "{'mcp', 'dateutil', 'anyio', 'IPython'}"
    loop = f"import sys, forge.harness.harness\nassert not {unwanted} & set(sys.modules)"
    for code in (course, loop):
        subprocess.run([sys.executable, "-c", code], check=True)
