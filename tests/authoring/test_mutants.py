import os

import pytest

from forge.authoring import mutate
from forge.authoring.mutants import mutants
from forge.course.contract import load_stage, stems

STEM = "90_toy_stage"
DECIDES = ("if", "elif", "case", "match", "while", "for", "return")


def test_a_mutant_changes_one_line_and_is_a_function_of_the_same_name():
    found = list(mutants("forge.state.models:payload_text"))
    assert len(found) > 5
    for mutant in found:
        assert mutant.function.__name__ == "payload_text"
        assert mutant.change.before != mutant.change.after
    changes = {(mutant.change.before, mutant.change.after) for mutant in found}
    line = "if not isinstance(value, str) or not value.strip():"
    assert (line, line.replace(" or ", " and ")) in changes


def test_a_mutant_leaves_the_real_function_alone():
    from forge.state import models

    before = models.payload_text.__code__
    list(mutants("forge.state.models:payload_text"))
    assert models.payload_text.__code__ is before


def test_a_sweep_tells_what_the_contract_tests_notice_from_what_they_do_not(toy):
    sweep = mutate(STEM)
    assert any(change.failed == ("test_a_blank_step_is_rejected",) for change in sweep.killed)
    assert sweep.survived
    assert all(not change.failed for change in sweep.survived)


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("FORGE_SWEEP"), reason="make sweep tries every mutant")
@pytest.mark.parametrize("stem", stems())
def test_no_exercise_has_a_decision_that_could_change_unnoticed(stem):
    sweep = mutate(stem)
    print(f"\n{stem}: {len(sweep.killed)} mutants noticed, {len(sweep.survived)} not")
    print("\n".join(map(str, sweep.survived)))
    targets = {exercise.target for exercise in load_stage(stem).exercises}
    assert not [c for c in sweep.survived if c.target in targets and c.before.startswith(DECIDES)]
