"""What learners wrote stays text, in tables and on pages."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from forge.grading.class_page import class_page
from forge.grading.feedback import page
from forge.grading.gradebook import files_table, gradebook
from forge.grading.results import CaseResult, ItemResult, Result
from forge.grading.submissions import Submission

SCRIPT = "<script>alert(1)</script>"


def a_result(**more: object) -> Result:
    item = ItemResult(
        id="reject_a_gap",
        kind="exercise",
        title="Reject a gap",
        points=2.5,
        out_of=10.0,
        verdict="fail",
        reason="1 of 2 cases differ",
        cases=(
            CaseResult(says="kept", right=True, expected="accepted", seen="accepted"),
            CaseResult(says="a gap", right=False, expected="refused with ValueError", seen="accepted"),
        ),
        hint="Look.",
        answer=f"def f(): return '{SCRIPT}'",
    )
    basis = {
        "learner": "ada",
        "stage": "01_state_and_events",
        "title": "State and events",
        "course_version": "0.1.0",
        "notebook": "a.ipynb",
        "sha256": "0",
        "sandbox": True,
        "seed": "1",
        "probes": "2",
        "points": 2.5,
        "out_of": 10.0,
        "items": (item,),
        **more,
    }
    return Result(**basis)


def test_nothing_that_a_learner_wrote_becomes_part_of_the_page() -> None:
    text = page(
        SCRIPT, [a_result(explanation=SCRIPT, prediction=SCRIPT, mends=(SCRIPT,))], [(SCRIPT, SCRIPT)]
    )
    assert "<script" not in text
    assert text.count("&lt;script&gt;") >= 6


def test_the_page_says_what_was_expected_and_seen_and_which_hint_fits() -> None:
    text = page("ada", [a_result()], [])
    assert "expected: refused with ValueError · seen: accepted" in text
    assert "Look." in text
    assert "2.5 / 10" in text


def test_the_page_has_the_explanation_beside_the_rubric_and_a_place_for_points() -> None:
    text = page("ada", [a_result(explanation="Because.", covered=(2,))], [])
    assert "Because." in text
    assert text.count("points: ______") == 2
    assert text.index("○</span><span>Each event changes") < text.index("✓</span><span>A completed run")


def test_the_page_has_the_prediction_beside_what_there_is_to_say_of_it() -> None:
    text = page("ada", [a_result(prediction="a")], [])
    assert text.index("✗</span><span>Prediction") < text.index("Skip the gap") < text.index("has it back")
    assert "(nothing was chosen)" in page("ada", [a_result()], [])


def test_the_lines_of_a_paragraph_are_one_and_those_of_a_list_are_not() -> None:
    text = page("ada", [a_result(explanation="One\nline.\n\n- a\n- b")], [])
    assert "<blockquote>One line.\n\n- a\n- b</blockquote>" in text


def test_a_name_is_no_formula_in_a_spreadsheet() -> None:
    submission = Submission("=HYPERLINK(1)", Path("/in/=HYPERLINK(1)/a.ipynb"), reason="the file is empty")
    columns = {"01_state_and_events": ("reject_a_gap",)}
    for text in (gradebook([submission], [], columns), files_table([submission], Path("/in"))):
        assert "'=HYPERLINK(1)" in text.splitlines()[1]


def test_items_that_were_not_judged_are_empty_and_not_zero() -> None:
    blocked = a_result().items[0].model_copy(update={"verdict": "blocked"})
    files = [Submission("ada", Path("/in/ada/a.ipynb"), "01_state_and_events")]
    text = gradebook(files, [a_result(items=(blocked,))], {"01_state_and_events": ("reject_a_gap",)})
    [row] = csv.DictReader(io.StringIO(text))
    assert row["01_state_and_events/reject_a_gap"] == ""
    assert "reject_a_gap: blocked" in row["notes"]


def a_class() -> list[Result]:
    """Four learners and one exercise: passed, failed twice at the gap, and not attempted."""
    failed = a_result().items[0]
    passed = failed.model_copy(update={"verdict": "pass", "points": 10.0, "cases": (), "hint": ""})
    untouched = passed.model_copy(update={"verdict": "not attempted", "points": 0.0})
    items = (passed, failed, failed.model_copy(update={"points": 0.0}), untouched)
    return [a_result(learner=f"learner {n}", items=(item,)) for n, item in enumerate(items)]


def test_the_page_of_the_class_counts_what_was_attempted_and_passed() -> None:
    text = class_page(a_class())
    assert "4 learners, 4 of 4 submissions judged" in text
    assert "<dt>attempted</dt><dd>3 of 4</dd>" in text
    assert "1 of 4 passed" in text
    assert "3.1 / 10" in text


def test_the_page_of_the_class_names_the_probe_that_most_failed_and_the_hint_that_fits() -> None:
    text = class_page(a_class())
    assert '<dt>most failed</dt><dd>a gap <span class="quiet">(2 of 2)' in text
    assert '<dt>hint</dt><dd>Look. <span class="quiet">(2 of 2)' in text


def test_the_page_of_the_class_draws_how_the_points_are_spread() -> None:
    text = class_page(a_class())
    assert "share of points: 0 %: 1, ≤25 %: 1, ≤50 %: 0, ≤75 %: 0, &lt;100 %: 0, 100 %: 1" in text
    assert text.count("<rect") == 3


def test_the_page_of_the_class_names_no_learner_and_no_other_file() -> None:
    found = [a_result(learner=SCRIPT, notebook=SCRIPT, explanation=SCRIPT), *a_class()]
    text = class_page(found)
    assert "script" not in text
    assert "learner 1" not in text
    assert "http" not in text


def test_a_class_of_which_nothing_could_be_judged_has_a_page_too() -> None:
    text = class_page([a_result(items=(), reason="could not judge: its worker was killed twice")])
    assert "1 learner, 0 of 1 submission judged" in text
    assert "The class" in class_page([])
