"""A repair cell that stands for the right answer the course keeps."""

from __future__ import annotations

import re

import pytest

from forge import resources
from forge.authoring.cells import read_source
from forge.authoring.editions import convert
from forge.errors import BuildFailed
from tests.authoring.conftest import STEM, Toy

KEPT = f"tests/course/right_answers/{STEM}/spaces_kept/as_in_notebook.py"
ANSWER = '''\
# As the notebook's solved edition has it.
import json

from forge.errors import EventRefused


def payload_text(event, field, words):
    """The text, stripped."""
    value = event.payload.get(field)
    if not isinstance(value, str) or not value.strip():
        raise EventRefused(words)
    return value.strip()
'''


@pytest.fixture
def source(toy: Toy) -> str:
    """The toy's source with its repair cell in the short form."""
    path = toy.root / "solutions" / f"{STEM}.py"
    text = path.read_text(encoding="utf-8")
    short = re.sub(
        r'@stage\.repair\("spaces_kept"\).*?(?=# %%)',
        'stage.repair("spaces_kept")\n\n',
        text,
        flags=re.DOTALL,
    )
    assert short != text
    toy.write(f"solutions/{STEM}.py", short)
    return short


def repair_cell(edition: str) -> str:
    notebook = convert(read_source(resources.source(STEM)), edition)  # type: ignore[arg-type]
    (text,) = [cell.source for cell in notebook.cells if "stage.repair" in cell.source]
    return str(text)


def test_the_solved_edition_has_the_kept_function_below_its_imports(toy: Toy, source: str) -> None:
    toy.write(KEPT, ANSWER)
    expected = (
        ANSWER.partition("\n")[2].replace("\n\n\ndef", '\n\n\n@stage.repair("spaces_kept")\ndef').strip()
    )
    assert repair_cell("solved") == expected


def test_the_learner_edition_has_the_fault(toy: Toy, source: str) -> None:
    toy.write(KEPT, ANSWER)
    text = repair_cell("learner")
    assert '@stage.repair("spaces_kept")\ndef payload_text(' in text
    assert text.rstrip().endswith("return value")


def test_a_change_of_the_kept_answer_makes_the_notebook_another_one(toy: Toy, source: str) -> None:
    toy.write(KEPT, ANSWER)
    before = read_source(resources.source(STEM)).sha256
    toy.write(KEPT, ANSWER.replace("The text, stripped.", "The text."))
    assert read_source(resources.source(STEM)).sha256 != before


def test_an_answer_that_is_not_kept_is_named_with_its_place(toy: Toy, source: str) -> None:
    line = source[: source.index("stage.repair")].count("\n") + 1
    with pytest.raises(BuildFailed, match=re.escape(f"solutions/{STEM}.py, line {line}. Write it in {KEPT}")):
        read_source(resources.source(STEM))


def test_a_kept_answer_of_two_functions_is_refused(toy: Toy, source: str) -> None:
    toy.write(KEPT, ANSWER + "\n\ndef another():\n    pass\n")
    with pytest.raises(BuildFailed, match="must define one function"):
        read_source(resources.source(STEM))
