import os
import textwrap

import pytest
import yaml

from forge.authoring import mutate
from forge.authoring.mutants import mutants
from forge.course.contract import stems

STEM = "90_toy_stage"
TEXTS = """\
    from types import SimpleNamespace

    import pytest

    from forge.state import models


    def test_a_text():
        with pytest.raises(ValueError) as caught:
            models.payload_text(SimpleNamespace(payload={}, sequence=2, run_id="r"), "step", "no step")
        assert str(caught.value).startswith("no step")
"""


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


def test_a_mutant_that_no_test_can_notice_is_explained_in_a_file_or_noticed_by_a_test_of_the_texts(toy):
    *rest, last = mutate(STEM).survived
    toy.write(
        f"tests/course/survivors/{STEM}.yaml",
        yaml.safe_dump([{"why": "It is equivalent.", "changes": [str(last), "no:such: line → line"]}]),
    )
    toy.write(f"tests/texts/test_{STEM}.py", textwrap.dedent(TEXTS))
    sweep = mutate(STEM)
    assert sweep.explained == (last,)
    assert sweep.untrue == ("no:such: line → line",)
    assert any(change.failed == ("test_a_text",) for change in sweep.killed)
    assert len(sweep.survived) < len(rest)


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("FORGE_SWEEP"), reason="make sweep tries every mutant")
@pytest.mark.parametrize("stem", stems())
def test_every_mutant_of_what_a_stage_teaches_is_noticed_or_explained(stem):
    sweep = mutate(stem)
    print(f"\n{stem}: {len(sweep.killed)} mutants killed, {len(sweep.survived)} survived", end=", ")
    print(f"{len(sweep.explained)} explained as equivalent")
    assert [*map(str, sweep.survived), *sweep.untrue] == []
