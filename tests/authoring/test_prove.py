import nbformat
import pytest

from forge.authoring import prove
from forge.authoring.claims import prove_stage
from forge.errors import NotInCourse

STEM = "90_toy_stage"
STAGE = "forge/course/stages/{stem}.yaml"
SOURCE = "solutions/{stem}.py"
WRONG = "tests/course/wrong_answers/{stem}/blank_step/a.py"
RIGHT = "tests/course/right_answers/{stem}/blank_step/a.py"

RAISES = (
    "    if not isinstance(value, str) or not value.strip():\n        raise EventRefused(words)\n    ### END"
)


def found(toy):
    """The findings about the toy course, as `what` with its facts."""
    toy.commit()
    return {
        (finding.what, finding.where.partition(",")[0]): finding for finding in prove_stage(STEM).findings
    }


def test_a_sound_stage_is_proved_and_the_table_says_what_was_shown(toy):
    proof = prove([STEM])
    assert proof.findings == ()
    assert proof.ok
    assert {what: count for _, what, count in proof.rows()} == {
        "editions run": 2,
        "stubs are not answers": 3,
        "solutions pass": 3,
        "faults fail as named": 2,
        "wrong answers": 1,
        "right answers": 1,
        "contract tests": 2,
        "notebooks fresh": 1,
    }


def test_a_stub_that_passes_is_found(toy):
    stub = RAISES.replace("    ### END", "")
    stub = "".join(f"    #| {line.removeprefix('    ')}\n" for line in stub.splitlines())
    toy.edit(SOURCE, "    ### END SOLUTION", stub + "    ### END SOLUTION")
    finding = found(toy)["stubs are not answers", "exercise blank_step"]
    assert finding.expected == "not attempted"
    assert finding.found.startswith("passed")


def test_a_solution_that_fails_is_found(toy):
    toy.edit(SOURCE, "not value.strip()", "value is None")
    finding = found(toy)["solutions pass", "exercise blank_step"]
    assert "test_a_blank_step_is_rejected" in finding.found
    assert "failed" in finding.found


def test_a_repair_that_fails_is_found(toy):
    toy.edit(SOURCE, "    return value.strip()\n    ### END", "    return value\n    ### END")
    assert ("solutions pass", "repair spaces_kept") in found(toy)


def test_a_transfer_that_notices_nothing_is_found(toy):
    toy.edit(SOURCE, '["   ", "brief"]', '["brief"]')
    assert "none of your assertions fails" in found(toy)["solutions pass", "transfer office_brief"].found


def test_a_fault_nobody_catches_is_found(toy):
    toy.edit("faults/{stem}/spaces_kept.py", "return value", "return value.strip()")
    finding = found(toy)["a fault fails the tests it names", "spaces_kept"]
    assert finding.expected == "test_a_step_is_stripped"
    assert "test_" not in finding.found


def test_a_fault_that_fails_a_test_it_does_not_name_is_found(toy):
    toy.edit("faults/{stem}/spaces_kept.py", " or not value.strip()", "")
    finding = found(toy)["a fault fails the tests it names", "spaces_kept"]
    assert finding.found == "test_a_blank_step_is_rejected, test_a_step_is_stripped"


def test_a_failure_in_other_words_than_the_fault_names_is_found(toy):
    toy.edit("faults/{stem}/spaces_kept.yaml", "spaces around a step must go", "the disk is full")
    assert ("a failure says what the fault names", "spaces_kept") in found(toy)


def test_a_test_that_only_a_mutant_fails_counts(toy):
    toy.edit(
        "tests/stages/test_{stem}.py",
        "def test_a_step_is_s",
        "def test_words():\n    assert step('x')\n\n\ndef test_a_step_is_s",
    )
    toy.edit(
        "tests/stages/test_{stem}.py",
        "assert step('x')",
        "assert apply_event(reduce_events([CREATED]), step('x')).current_step == 'x'",
    )
    toy.commit()
    proof = prove_stage(STEM)
    assert proof.findings == ()
    assert proof.shown["mutants tried"] > 0


def test_a_test_that_nothing_fails_is_found(toy):
    toy.edit(
        "tests/stages/test_{stem}.py",
        "def test_a_step_is_s",
        "def test_words():\n    assert step\n\n\ndef test_a_step_is_s",
    )
    assert ("every test is failed by something", "test_words") in found(toy)


@pytest.mark.parametrize("part", ["hints: [Look at the spaces.]", "criteria: [A blank step is refused.]"])
def test_an_empty_hint_or_criterion_is_found(toy, part):
    toy.edit(STAGE, part, part.partition("[")[0] + "['  ']")
    assert part.partition(":")[0] in found(toy)["the stage is well formed", STEM].found


def test_a_wrong_answer_that_passes_is_found(toy):
    toy.write(WRONG.format(stem=STEM), (toy.root / RIGHT.format(stem=STEM)).read_text())
    assert ("a wrong answer is judged so", WRONG.format(stem=STEM)) in found(toy)


def test_a_right_answer_that_is_refused_is_found(toy):
    toy.write(RIGHT.format(stem=STEM), (toy.root / WRONG.format(stem=STEM)).read_text())
    assert ("a right answer is judged so", RIGHT.format(stem=STEM)) in found(toy)


def test_a_stale_notebook_is_found(toy):
    toy.edit(SOURCE, "# # The toy stage", "# # A toy stage")
    proof = prove()
    assert [finding.what for finding in proof.findings] == ["the notebook comes from its source"]
    assert not proof.ok


def test_a_solution_line_in_an_earlier_cell_is_found(toy):
    line = "if not isinstance(value, str) or not value.strip():"
    toy.edit(SOURCE, "stage.predict()", f"line = {line!r}")
    finding = found(toy)["no solution is given away", SOURCE.format(stem=STEM)]
    assert finding.found == line


def test_a_solution_line_in_an_earlier_output_is_found(toy):
    path = toy.root / f"notebooks/{STEM}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    shown = "<b>raise</b> EventRefused(words)"
    notebook.cells[2].outputs = [nbformat.v4.new_output("display_data", {"text/html": shown})]
    nbformat.write(notebook, path)
    assert [(f.what, f.found) for f in prove_stage(STEM).findings] == [
        ("no solution is given away", "raise EventRefused(words)")
    ]


def test_an_answer_the_contract_does_not_list_and_one_without_a_cell_are_found(toy):
    toy.edit(SOURCE, '@stage.exercise("blank_step")', '@stage.exercise("blank")')
    findings = found(toy)
    assert ("each answer has one cell", "exercise blank_step") in findings
    assert findings["the contract lists what is asked", SOURCE.format(stem=STEM)].found == "exercise blank"


def test_a_cell_that_raises_is_found(toy):
    toy.edit(SOURCE, "stage.predict()", "1 / 0")
    finding = found(toy)["the learner edition runs", SOURCE.format(stem=STEM)]
    assert finding.found == "ZeroDivisionError: division by zero"


def test_a_stage_whose_process_dies_is_found(toy):
    toy.edit(SOURCE, "stage.predict()", "import os; os._exit(3)")
    toy.commit()
    proof = prove()
    assert [finding.what for finding in proof.findings] == ["the proof comes to an end"]


def test_an_unknown_stage_is_refused(toy):
    with pytest.raises(NotInCourse, match="90_toy_stage"):
        prove(["91_other"])
