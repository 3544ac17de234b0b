import textwrap

import pytest

from forge.authoring.cells import read_source
from forge.authoring.markers import FaultText, learner, solved
from forge.errors import BuildFailed

EXERCISE = """\
# %%
@stage.exercise("gap")
def apply_event(state, event):
    here = event.sequence
    ### BEGIN SOLUTION
    if here != state.version + 1:
        raise ValueError("gap")
    ### END SOLUTION
    return state
"""

REPAIR = """\
# %%
from forge.state import RunState

@stage.repair("text_order")
def apply_event(state: RunState, event):
    ### BEGIN SOLUTION
    return right(state, event)
    ### END SOLUTION
"""

FAULT = '''\
"""The defect."""

from __future__ import annotations

import json
from forge.errors import EventRefused, ForgeError
from forge.state import RunState


def apply_event(state: RunState, event):
    # the comparison is one of texts
    if str(event) < str(state):
        raise EventRefused("no")
    return state
'''


def cell(tmp_path, text):
    path = tmp_path / "01_toy.py"
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return read_source(path).cells[-1]


def test_the_solved_edition_keeps_the_solution_and_loses_the_markers(tmp_path):
    assert solved(cell(tmp_path, EXERCISE)).splitlines() == [
        '@stage.exercise("gap")',
        "def apply_event(state, event):",
        "    here = event.sequence",
        "    if here != state.version + 1:",
        '        raise ValueError("gap")',
        "    return state",
    ]


def test_the_learner_edition_raises_with_the_exercise_id_at_the_indentation_of_the_marker(tmp_path):
    assert learner(cell(tmp_path, EXERCISE)).splitlines() == [
        '@stage.exercise("gap")',
        "def apply_event(state, event):",
        "    here = event.sequence",
        '    raise NotImplementedError("gap")',
        "    return state",
    ]


def test_stub_lines_stand_in_place_of_the_solution(tmp_path):
    text = EXERCISE.replace(
        "    ### END", "    #| if ...:\n    #|     raise NotImplementedError\n    #|\n    ### END"
    )
    given = learner(cell(tmp_path, text)).splitlines()
    assert given[3:6] == ["    if ...:", "        raise NotImplementedError", ""]
    assert "#|" not in solved(cell(tmp_path, text))


def test_two_solutions_in_one_answer_are_both_taken_out(tmp_path):
    text = (
        EXERCISE
        + "    ### BEGIN SOLUTION\n    #| return None\n    print(1)\n    return state\n    ### END SOLUTION\n"
    )
    given = learner(cell(tmp_path, text))
    assert "print" not in given
    assert given.endswith("return None")


def test_inside_a_string_a_solution_leaves_nothing(tmp_path):
    text = '# %%\nstage.explain("""\n### BEGIN SOLUTION\nBecause order.\n### END SOLUTION\n""")\n'
    assert learner(cell(tmp_path, text)) == 'stage.explain("""\n""")'
    assert solved(cell(tmp_path, text)) == 'stage.explain("""\nBecause order.\n""")'


def test_a_repair_starts_from_the_fault_with_its_imports_above_the_decorator(tmp_path):
    given = learner(cell(tmp_path, REPAIR), FaultText(FAULT, "text_order.py"))
    assert given.splitlines() == [
        "from forge.state import RunState",
        "from forge.errors import EventRefused",
        "",
        "",
        '@stage.repair("text_order")',
        "def apply_event(state: RunState, event):",
        "    # the comparison is one of texts",
        "    if str(event) < str(state):",
        '        raise EventRefused("no")',
        "    return state",
    ]


def test_a_repair_keeps_what_stands_below_its_function(tmp_path):
    given = learner(cell(tmp_path, REPAIR + "\n\nprint('done')\n"), FaultText(FAULT, "text_order.py"))
    assert given.endswith("    return state\n\n\nprint('done')")


def test_a_cell_without_markers_is_the_same_in_both_editions(tmp_path):
    plain = cell(tmp_path, "# %%\n# the end of the story\nx = 1\n")
    assert solved(plain) == learner(plain) == "# the end of the story\nx = 1"


@pytest.mark.parametrize(
    ("old", "new", "words", "line"),
    [
        ("    ### END SOLUTION\n", "", "does not end", 5),
        ("    ### BEGIN SOLUTION\n", "", "did not begin", 7),
        ("    if here", "    ### BEGIN SOLUTION\n    if here", "begins inside another", 6),
        ("### BEGIN", "### BEGN", "misspelt", 5),
        ("### BEGIN SOLUTION", "###BEGIN SOLUTION", "misspelt", 5),
        ("### END SOLUTION", "### end solution", "misspelt", 8),
        ("    here =", "    #| here =", "outside a solution", 4),
        ("    ### END", "    #|x\n    ### END", "misspelt", 8),
        ("    if here != state", "    if if here", "not Python", 6),
    ],
)
def test_a_wrong_marker_fails_with_file_and_line(tmp_path, old, new, words, line):
    with pytest.raises(BuildFailed, match=words) as failure:
        learner(cell(tmp_path, "# %% [markdown]\n# text\n" + EXERCISE.replace(old, new, 1)))
    assert failure.value.evidence["line"] == line + 2
    assert f"01_toy.py, line {line + 2}" in str(failure.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('# %%\n@stage.exercise("gap")\ndef f():\n    return 1\n', "no solution to take out"),
        ("# %%\n### BEGIN SOLUTION\nx = 1\n### END SOLUTION\n", "outside an answer"),
        ("# %% [markdown]\n# ### BEGIN SOLUTION\n# text\n# ### END SOLUTION\n", "in a text cell"),
        (EXERCISE + '@stage.exercise("b")\ndef g():\n    pass\n', "two answers"),
        (EXERCISE.replace("    ### BEGIN", "        ### BEGIN"), "without its solution is not Python"),
    ],
)
def test_a_solution_that_cannot_be_taken_out_fails(tmp_path, text, words):
    with pytest.raises(BuildFailed, match=words):
        learner(cell(tmp_path, text))


def test_text_before_the_first_cell_is_refused(tmp_path):
    path = tmp_path / "01_toy.py"
    path.write_text("x = 1\n# %%\ny = 2\n", encoding="utf-8")
    with pytest.raises(BuildFailed, match="one cell for each"):
        read_source(path)


def test_a_header_of_jupytext_is_not_a_cell(tmp_path):
    path = tmp_path / "01_toy.py"
    path.write_text(
        "# ---\n# jupyter:\n#   jupytext: {formats: py}\n# ---\n\n# %%\n\ny = 2\n", encoding="utf-8"
    )
    source = read_source(path)
    assert [(cell.text, cell.line) for cell in source.cells] == [("y = 2", 8)]


def test_an_async_or_undecorated_function_is_not_taken_for_an_answer(tmp_path):
    assert cell(tmp_path, "# %%\n@other\ndef f():\n    pass\n").answer() is None
    assert cell(tmp_path, "# %%\nm = a @ b\n").answer() is None
