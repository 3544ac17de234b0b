from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ipywidgets as ipw
import pytest
from IPython.core.interactiveshell import InteractiveShell

from forge.course import stage as stage_module
from forge.course import workspace
from forge.course.contract import in_full, load_fault, load_stage
from forge.course.evidence import Evidence, read_verification, without_secrets
from forge.course.judging import items
from forge.course.mastery import core
from forge.course.progress import LearningEvent, LearningKind, ProgressLog, SelfCheck
from forge.course.selfcheck import DOES_NOT_PROVE, self_check
from forge.course.stage import Stage
from forge.course.workspace import Workspace
from forge.errors import CheckFailed, CourseError, EventRefused, NotInCourse, StorageError
from forge.state import EventKind, RunEvent, RunState, RunStatus, reduce_events
from forge.state.models import TERMINAL, create_run, payload_text
from tests.course.answers import solved

STEM = "01_state_and_events"


class Notebook:
    """A stage in a workspace of its own, and everything it displayed."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.stage = Stage(load_stage(STEM), workspace)
        self.shown: list[Any] = []

    @property
    def last(self) -> str:
        return repr(self.shown[-1])


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Notebook:
    made = Notebook(Workspace(tmp_path, kept=True))
    monkeypatch.setattr(stage_module, "display", made.shown.append)
    return made


def unfinished(state: RunState | None, event: RunEvent) -> RunState:
    raise NotImplementedError("reject_a_gap")


def accepts_gaps(state: RunState | None, event: RunEvent) -> RunState:
    if state is None:
        return create_run(event)
    if event.run_id != state.run_id:
        raise EventRefused("an event cannot be applied to a different run")
    if state.status in TERMINAL:
        raise EventRefused("a terminal run cannot accept more events")
    change: dict[str, Any] = {}
    match event.kind:
        case EventKind.RUN_CREATED:
            raise EventRefused("a run can only be created once")
        case EventKind.STEP_STARTED:
            step = payload_text(event, "step", "step_started requires a non-empty step")
            change = {"status": RunStatus.RUNNING, "current_step": step}
        case EventKind.WRITE_PERMISSION_REVOKED:
            change = {"write_allowed": False}
        case EventKind.RUN_COMPLETED:
            change = {"status": RunStatus.COMPLETED, "current_step": None}
        case EventKind.RUN_FAILED:
            reason = payload_text(event, "reason", "run_failed requires a reason")
            change = {"status": RunStatus.FAILED, "current_step": None, "failure_reason": reason}
    return state.model_copy(update={**change, "version": event.sequence, "last_event_id": event.event_id})


BRIEF: list[tuple[str, dict[str, str]]] = [
    ("run_created", {}),
    ("step_started", {"step": "retrieve_documents"}),
    ("write_permission_revoked", {}),
    ("step_started", {"step": "generate_brief"}),
]


def brief_without_checks() -> RunState:
    return reduce_events(
        RunEvent(event_id=f"e{n}", run_id="brief", sequence=n, kind=EventKind(kind), payload=payload)
        for n, (kind, payload) in enumerate(BRIEF, start=1)
    )


def finish(notebook: Notebook) -> None:
    """Work the core path from first to last, with the solved cells."""
    stage = notebook.stage
    stage.open()
    stage.predict("b")
    answers: dict[str, Callable[..., Any]] = solved(STEM)
    for exercise in stage.contract.exercises:
        stage.exercise(exercise.id)(answers[exercise.id])
    for entry in stage.contract.faults:
        if entry.path == "core":
            stage.repair(entry.id)(answers[entry.id])
    stage.transfer(stage.contract.transfer.id)(answers[stage.contract.transfer.id])
    stage.explain("A gap hides an event, and an ended run has an answer others rely on.", covered=(1, 2))
    stage.mastery()


def test_opening_a_stage_shows_its_experiment_card(notebook: Notebook) -> None:
    notebook.stage.open()
    contract = notebook.stage.contract
    for fact in (
        contract.title,
        contract.experiment_id,
        contract.evidence,
        contract.capability.after,
        "pending",
    ):
        assert fact in notebook.last


def test_without_a_workspace_the_card_says_that_progress_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Notebook(Workspace(tmp_path, kept=False))
    monkeypatch.setattr(stage_module, "display", made.shown.append)
    made.stage.open()
    assert "Progress is not kept here" in made.last
    assert str(tmp_path) not in made.last


def test_the_question_is_asked_until_a_choice_is_made_and_the_choice_is_kept(notebook: Notebook) -> None:
    stage = notebook.stage
    stage.predict()
    assert stage.contract.prediction.question in notebook.last
    assert stage.contract.prediction.options["a"].why not in notebook.last
    stage.predict("a")
    assert "You chose a. The answer is b." in notebook.last
    assert all(option.why in notebook.last for option in stage.contract.prediction.options.values())
    again = Stage(stage.contract, notebook.workspace)
    again.predict()
    assert "You chose a." in notebook.last
    again.predict("b")
    assert "You chose a." in notebook.last, "looking at the answer does not change the prediction"


def test_choosing_with_the_mouse_commits_the_same_way(notebook: Notebook) -> None:
    notebook.stage.predict()
    control = notebook.shown[-1]
    radio, button = control.children[1], control.children[2]
    assert button.disabled
    radio.value = "b"
    assert not button.disabled
    button.click()
    assert "You chose b. That is right." in control.children[3].value
    assert notebook.stage.progress.stage(STEM).prediction == "b"
    assert radio.disabled


def test_a_letter_that_is_no_option_is_refused_with_those_that_are(notebook: Notebook) -> None:
    with pytest.raises(NotInCourse, match="no option of this question is called 'z': there is a, b, c, d"):
        notebook.stage.predict("z")
    assert notebook.stage.progress.stage(STEM).prediction is None


def test_an_unfinished_answer_does_not_stop_the_notebook(notebook: Notebook) -> None:
    assert notebook.stage.exercise("reject_a_gap")(unfinished) is unfinished
    assert notebook.last.startswith("○ Not attempted yet: reject a gap")


def test_a_wrong_answer_stops_with_the_short_report_and_the_hint_to_open(notebook: Notebook) -> None:
    with pytest.raises(CheckFailed) as caught:
        notebook.stage.exercise("reject_a_gap")(accepts_gaps)
    report = str(caught.value)
    assert report.startswith(
        "✗ A sequence gap must be rejected: events 1, 3\n  test      test_sequence_gaps_are_rejected\n"
    )
    assert "expected" in report
    assert "found" in report
    assert "Hint 1 of 3: run `stage.hint('reject_a_gap')`." in report
    assert not list(notebook.stage.evidence.folder.glob("answers/*"))


def test_the_traceback_of_a_wrong_answer_is_the_short_report(notebook: Notebook) -> None:
    shell = InteractiveShell.instance()
    lines: list[str] = []
    shell._showtraceback = lambda _kind, _value, stb: lines.extend(stb)
    with pytest.raises(CheckFailed) as caught:
        notebook.stage.exercise("reject_a_gap")(accepts_gaps)
    shell.showtraceback((CheckFailed, caught.value, caught.value.__traceback__))
    InteractiveShell.clear_instance()
    assert lines == str(caught.value).splitlines()


def test_a_right_answer_is_kept_with_its_digest_and_says_what_is_next(notebook: Notebook) -> None:
    answer = solved(STEM)["reject_a_gap"]
    notebook.stage.exercise("reject_a_gap")(answer)
    assert notebook.last.startswith("✓ Exercise passed: reject a gap")
    assert "Next: commit to a prediction." in notebook.last
    kept = (notebook.stage.evidence.folder / "answers" / "reject_a_gap.py").read_text(encoding="utf-8")
    assert "def apply_event(" in kept
    assert "reject_a_gap" in notebook.stage.progress.stage(STEM).passed


def test_the_source_is_folded_until_the_exercise_is_passed(notebook: Notebook) -> None:
    stage = notebook.stage
    stage.source("forge.state.models:apply_event")
    assert "if event.sequence != state.version + 1" not in notebook.last
    assert "lines folded away" in notebook.last
    stage.exercise("reject_a_gap")(solved(STEM)["reject_a_gap"])
    stage.source("forge.state.models:apply_event")
    assert "if event.sequence != state.version + 1" in notebook.last


def test_hints_open_one_at_a_time_and_stay_open(notebook: Notebook) -> None:
    stage = notebook.stage
    hints = stage.contract.exercises[0].hints
    stage.hint("reject_a_gap")
    control = notebook.shown[-1]
    texts, button = control.children
    assert hints[0] not in repr(control)
    button.click()
    assert "version" in texts.value
    assert button.description == "Open hint 2 of 3"
    stage.hint("reject_a_gap")
    assert (hints[0] in notebook.last, hints[1] in notebook.last) == (True, False)
    for _ in range(2):
        button.click()
    assert button.disabled


def test_injecting_a_fault_shows_how_it_fails_and_is_no_error(notebook: Notebook) -> None:
    notebook.stage.inject("text_order")
    shown = repr(notebook.shown[-2])
    assert notebook.last.startswith("→ Hints: Events are sorted as text")
    assert "✗" in shown
    assert "Diagnose in this order" in shown
    assert "seen in" in shown


def test_the_defective_function_as_it_stands_is_not_repaired_yet(notebook: Notebook) -> None:
    notebook.stage.repair("text_order")(load_fault(STEM, "text_order").function(STEM))
    assert notebook.last.startswith("○ Not repaired yet")


def test_a_scene_that_checks_nothing_is_told_which_fault_it_missed(notebook: Notebook) -> None:
    with pytest.raises(CheckFailed, match="None of your assertions fails under this fault") as caught:
        notebook.stage.transfer("office_brief")(brief_without_checks)
    assert load_fault(STEM, notebook.stage.contract.transfer.must_notice[0]).story in str(caught.value)


def test_an_empty_explanation_asks_and_a_written_one_shows_the_rubric(notebook: Notebook) -> None:
    stage = notebook.stage
    stage.explain("")
    assert notebook.last.startswith("○")
    assert stage.contract.explain.rubric[0] not in notebook.last
    stage.explain("Because each event stands on the one before.", covered=(1,))
    assert "✓ 1" in notebook.last
    assert "○ 2" in notebook.last
    kept = (stage.evidence.folder / "explanation.md").read_text(encoding="utf-8")
    assert "Because each event" in kept
    assert "- [x]" in kept
    assert "- [ ]" in kept


def test_ticking_a_point_of_the_rubric_is_kept(notebook: Notebook) -> None:
    notebook.stage.explain("Because.")
    control = notebook.shown[-1]
    boxes = [box for box in control.children[1].children if isinstance(box, ipw.Checkbox)]
    boxes[1].value = True
    assert notebook.stage.progress.stage(STEM).covered == (2,)


def test_a_point_that_the_rubric_does_not_have_is_refused(notebook: Notebook) -> None:
    with pytest.raises(NotInCourse, match="no point of the rubric is called '9'"):
        notebook.stage.explain("Because.", covered=(9,))


def test_while_work_is_missing_the_verification_says_pending(notebook: Notebook) -> None:
    notebook.stage.mastery()
    verification = read_verification(notebook.stage.evidence.verification)
    assert verification.acceptance == "pending"
    assert len(verification.missing) == len(core(notebook.stage.contract)) + 2
    assert notebook.last.startswith("○")


def test_the_whole_core_path_ends_in_an_accepted_verification_that_passes_the_self_check(
    notebook: Notebook,
) -> None:
    finish(notebook)
    contract = notebook.stage.contract
    assert notebook.last.startswith(f"✓ Stage complete: {contract.title}")
    verification = read_verification(notebook.stage.evidence.verification)
    assert (verification.acceptance, verification.missing) == ("accepted", ())
    assert verification.experiment_id == contract.experiment_id
    assert {outcome.outcome for outcome in verification.tests} == {"passed"}
    assert {name for name, _ in core(contract)} == set(verification.shown)
    shown = self_check(notebook.stage.evidence.verification, notebook.workspace)
    assert shown.title == "Local self-check passed"
    assert DOES_NOT_PROVE in shown.lines
    assert ProgressLog(notebook.workspace).stage(STEM).status is SelfCheck.PASSED


def replaced(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_the_self_check_notices_every_kind_of_change(notebook: Notebook) -> None:
    finish(notebook)
    folder = notebook.stage.evidence.folder
    answer, trace, result = (
        folder / "answers" / "reject_a_gap.py",
        folder / "trace.jsonl",
        folder / "verification.json",
    )
    whole = {path: path.read_bytes() for path in (answer, trace, result)}

    def found() -> str:
        shown = repr(self_check(result, notebook.workspace))
        for path, content in whole.items():
            path.write_bytes(content)
        assert shown.startswith("✗ The self-check failed"), shown
        assert ProgressLog(notebook.workspace).stage(STEM).status is SelfCheck.RESULTS_READ
        return shown

    replaced(result, '"outcome":"passed"', '"outcome":"failed"')
    assert "the digest does not fit" in found()
    replaced(answer, "def apply_event", "def  apply_event")
    assert "answers/reject_a_gap.py is not the answer that was checked" in found()
    answer.unlink()
    assert "answers/reject_a_gap.py is missing" in found()
    trace.write_bytes(b"".join(trace.read_bytes().splitlines(keepends=True)[:-1]))
    assert "anchor" in found()


def test_a_forged_verification_without_its_work_is_not_a_pass(notebook: Notebook) -> None:
    notebook.stage.mastery()
    pending = read_verification(notebook.stage.evidence.verification)
    notebook.stage.evidence.write(pending.model_copy(update={"acceptance": "accepted", "missing": ()}))
    shown = repr(self_check(notebook.stage.evidence.verification, notebook.workspace))
    assert "reject_a_gap belongs to the core path and is not shown" in shown


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"not json", b"\xff\xfe", b'{"a":1,"a":2}'])
def test_a_file_that_is_no_verification_is_said_to_be_none(notebook: Notebook, content: bytes) -> None:
    path = notebook.workspace.folder / "verification.json"
    path.write_bytes(content)
    assert self_check(path, notebook.workspace).title == "This file cannot be read as a verification"


def test_every_check_leaves_a_trace(notebook: Notebook) -> None:
    notebook.stage.exercise("reject_a_gap")(unfinished)
    with pytest.raises(CheckFailed):
        notebook.stage.exercise("reject_a_gap")(accepts_gaps)
    notebook.stage.exercise("reject_a_gap")(solved(STEM)["reject_a_gap"])
    operations = Evidence(notebook.stage.evidence.folder).operations()
    assert [operation["verdict"] for operation in operations] == ["not attempted", "failed", "passed"]
    assert len({operation["operation_id"] for operation in operations}) == 3
    failed, passed = operations[1:]
    assert failed["tests"]["test_sequence_gaps_are_rejected"] == "failed"
    assert failed["error_class"] == "AssertionError"
    assert failed["evidence"] == ""
    assert passed["evidence"] == "answers/reject_a_gap.py"
    assert all(operation["seconds"] >= 0 for operation in operations)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("key sk-abcdefghijklmnop1234", "key [filtered]"),
        ("ghp_0123456789abcdefghij", "[filtered]"),
        ("AKIAABCDEFGHIJKLMNOP", "[filtered]"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer [filtered]"),
        ("password=hunter2 next", "password[filtered] next"),
        ('{"api_key": "12345"}', '{"api_key[filtered]"}'),
        ("https://user:pass@example.org/x", "https://[filtered]@example.org/x"),
        ("eyJhbGciOi.eyJzdWIi.sig", "[filtered]"),
        (
            "a token of thanks, a secret garden, skill-building",
            "a token of thanks, a secret garden, skill-building",
        ),
    ],
)
def test_what_looks_like_a_secret_is_filtered_and_ordinary_words_stay(text: str, kept: str) -> None:
    assert without_secrets({"a": [text]}) == {"a": [kept]}


def test_an_exercise_that_changed_since_it_was_passed_says_so(notebook: Notebook) -> None:
    passed_before(notebook, "reject_a_gap")
    notebook.stage.open()
    assert "Reject a gap has changed since you passed it. Run its cell again." in notebook.last


def test_several_that_changed_since_they_were_passed_are_told_in_one_line(notebook: Notebook) -> None:
    first, second = items(notebook.stage.contract)[:2]
    for item in (first, second):
        passed_before(notebook, item.id)
    notebook.stage.open()
    told = [line for line in notebook.last.splitlines() if "changed since you passed" in line]
    named = f"{first.title} · {second.title}"
    assert told == [f"  ◐ 2 have changed since you passed them. Run their cells again: {named}."]


def passed_before(notebook: Notebook, item: str) -> None:
    """An item that was passed when its check was another one."""
    passed = {"answer": "0" * 64, "content": "0" * 64}
    notebook.stage.progress.record(
        LearningEvent(kind=LearningKind.ITEM_PASSED, stage=STEM, item=item, data=passed)
    )


def test_while_grading_an_unfinished_answer_is_a_failure(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORGE_GRADING", "1")
    with pytest.raises(CheckFailed, match="Not attempted yet"):
        notebook.stage.exercise("reject_a_gap")(unfinished)


@pytest.mark.parametrize("call", ["exercise", "repair", "transfer", "hint", "inject"])
def test_a_name_that_the_stage_does_not_have_is_answered_with_those_it_has(
    notebook: Notebook, call: str
) -> None:
    with pytest.raises(NotInCourse, match=r"is called 'gpa': there is"):
        getattr(notebook.stage, call)("gpa")


def test_a_decorator_without_an_id_says_how_to_write_it(notebook: Notebook) -> None:
    with pytest.raises(CourseError, match=r"an id is missing: .* Write it with one of reject_a_gap"):
        notebook.stage.exercise(unfinished)  # type: ignore[arg-type]


def test_the_faults_of_the_transfer_are_never_listed(notebook: Notebook) -> None:
    with pytest.raises(NotInCourse) as caught:
        notebook.stage.repair("x")
    assert "sequence_gap" in str(caught.value)
    assert "revocation_forgotten" not in str(caught.value)


def test_an_interrupt_stays_one_and_is_told_in_one_line(notebook: Notebook) -> None:
    def interrupted(state: RunState | None, event: RunEvent) -> RunState:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        notebook.stage.exercise("reject_a_gap")(interrupted)
    assert str(caught.value) == "the check was interrupted: nothing was recorded."
    assert notebook.stage.evidence.operations() == []


def test_an_answer_that_asks_for_input_does_not_wait(notebook: Notebook) -> None:
    def asks(state: RunState | None, event: RunEvent) -> RunState:
        input("and now?")
        raise AssertionError

    with pytest.raises(CheckFailed, match="nobody can be asked during a check"):
        notebook.stage.exercise("reject_a_gap")(asks)


def test_a_later_wrong_answer_says_that_the_accepted_one_still_counts(notebook: Notebook) -> None:
    notebook.stage.exercise("reject_a_gap")(solved(STEM)["reject_a_gap"])
    with pytest.raises(CheckFailed, match="An earlier answer of yours was accepted, and still counts"):
        notebook.stage.exercise("reject_a_gap")(accepts_gaps)
    assert "reject_a_gap" in notebook.stage.progress.stage(STEM).passed


def test_a_new_explanation_begins_without_ticks(notebook: Notebook) -> None:
    notebook.stage.explain("First.", covered=(1, 2))
    notebook.stage.explain("First.")
    assert notebook.stage.progress.stage(STEM).covered == (1, 2)
    notebook.stage.explain("Second.")
    assert notebook.stage.progress.stage(STEM).covered == ()


def test_the_text_of_a_contract_test_can_be_read(notebook: Notebook) -> None:
    notebook.stage.test(notebook.stage.contract.transfer.tests[0])
    assert f"def {notebook.stage.contract.transfer.tests[0]}" in notebook.last
    notebook.stage.test("test_sequence_gaps_are_rejected")
    assert "a sequence gap must be rejected" in notebook.last
    with pytest.raises(NotInCourse, match="no contract test of 01_state_and_events is called 'test_x'"):
        notebook.stage.test("test_x")


def test_a_scene_that_only_trips_over_its_own_traces_does_not_pass(notebook: Notebook) -> None:
    events: list[RunEvent] = []

    def remembers() -> RunState:
        events.extend(
            RunEvent(event_id=f"e{n}", run_id="brief", sequence=n, kind=EventKind(kind), payload=payload)
            for n, (kind, payload) in enumerate(BRIEF, start=1)
        )
        return reduce_events(events)

    with pytest.raises(CheckFailed, match="The scene does not come out the same"):
        notebook.stage.transfer("office_brief")(remembers)


@pytest.mark.parametrize("covered", [[1.0], [True], [0], [3]])
def test_only_whole_numbers_of_points_are_taken_and_progress_stays_readable(
    notebook: Notebook, covered: list[Any]
) -> None:
    with pytest.raises(NotInCourse):
        notebook.stage.explain("Because.", covered=covered)
    assert notebook.stage.progress.stage(STEM).explanation == ""


def test_mastery_counts_only_answers_that_are_there_and_unchanged(notebook: Notebook) -> None:
    finish(notebook)
    answer = notebook.stage.evidence.folder / "answers" / "reject_a_gap.py"
    whole = answer.read_bytes()
    for change in (lambda: answer.unlink(), lambda: answer.write_bytes(whole + b"# edited\n")):
        change()
        notebook.stage.mastery()
        assert "1 of 6 still to do" in notebook.last
        assert read_verification(notebook.stage.evidence.verification).acceptance == "pending"
        answer.write_bytes(whole)


def test_a_damaged_progress_log_is_told_and_a_good_verification_stays(notebook: Notebook) -> None:
    finish(notebook)
    whole = notebook.stage.evidence.verification.read_bytes()
    log = notebook.workspace.progress
    log.write_bytes(log.read_bytes().replace(b"prediction_made", b"prediction_maid"))
    again = Stage(notebook.stage.contract, notebook.workspace)
    again.exercise("reject_a_gap")(solved(STEM)["reject_a_gap"])
    assert notebook.last.startswith("◐ This answer passed and could not be kept")
    again.mastery()
    assert notebook.last.startswith("✗ Progress cannot be read")
    assert notebook.stage.evidence.verification.read_bytes() == whole


def test_a_damaged_trace_is_set_aside_and_the_verdict_is_given(notebook: Notebook) -> None:
    notebook.stage.exercise("reject_a_gap")(unfinished)
    trace = notebook.stage.evidence.folder / "trace.jsonl"
    trace.write_bytes(trace.read_bytes().replace(b"exercise", b"exercize"))
    again = Stage(notebook.stage.contract, notebook.workspace)
    again.exercise("reject_a_gap")(solved(STEM)["reject_a_gap"])
    assert notebook.last.startswith("✓ Exercise passed")
    assert list(trace.parent.glob("trace.jsonl.damaged-1"))


def test_files_that_are_deleted_while_the_notebook_is_open_are_begun_anew(notebook: Notebook) -> None:
    notebook.stage.predict("b")
    notebook.workspace.progress.unlink()
    notebook.stage.exercise("reject_a_gap")(solved(STEM)["reject_a_gap"])
    assert notebook.last.startswith("✓ Exercise passed")
    assert set(notebook.stage.progress.stage(STEM).passed) == {"reject_a_gap"}


def test_a_forge_that_a_cell_changed_judges_nothing(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = notebook.stage
    stage.open()
    monkeypatch.setattr("forge.state.models.apply_event", accepts_gaps)
    calls: list[Callable[[], object]] = [
        lambda: stage.exercise("reject_a_gap")(solved(STEM)["reject_a_gap"]),
        lambda: stage.inject("text_order"),
        stage.tests,
    ]
    for call in calls:
        with pytest.raises(
            CourseError, match=r"forge\.state\.models\.apply_event was changed in this kernel"
        ):
            call()
    assert stage.evidence.operations() == []


def test_an_answer_that_calls_its_earlier_definition_does_not_pass(notebook: Notebook) -> None:
    names: dict[str, Any] = {"right": solved(STEM)["reject_a_gap"]}
    cell = "def apply_event(state, event):\n    return apply_event(state, event)\n"
    path = notebook.workspace.folder / "cell.py"
    path.write_text(cell, encoding="utf-8")
    exec(compile(cell, str(path), "exec"), names)
    answer, names["apply_event"] = names["apply_event"], names["right"]
    with pytest.raises(CheckFailed, match="maximum recursion depth exceeded"):
        notebook.stage.exercise("reject_a_gap")(answer)
    assert names["apply_event"] is names["right"]


def test_an_answer_whose_file_was_edited_after_its_import_is_not_kept(notebook: Notebook) -> None:
    right = solved(STEM)["reject_a_gap"]
    path = notebook.workspace.folder / "mine.py"
    text = Path(right.__code__.co_filename).read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    names: dict[str, Any] = {}
    exec(compile(text, str(path), "exec"), names)
    path.write_text(text.replace("return", "return None and", 1), encoding="utf-8")
    notebook.stage.exercise("reject_a_gap")(names["apply_event"])
    assert notebook.last.startswith("◐ This answer passed and could not be kept")
    assert "edited after it was imported" in notebook.last
    assert "reject_a_gap" not in notebook.stage.progress.stage(STEM).passed


def test_the_source_is_folded_under_every_name_that_it_has(notebook: Notebook) -> None:
    notebook.stage.source("forge.state:apply_event")
    assert "if event.sequence != state.version + 1" not in notebook.last
    assert "lines folded away" in notebook.last


@pytest.mark.parametrize("call", ["repair", "inject"])
def test_a_fault_of_the_transfer_is_no_lab(notebook: Notebook, call: str) -> None:
    hidden = next(entry.id for entry in notebook.stage.contract.faults if entry.path == "transfer")
    with pytest.raises(NotInCourse, match=r"there is .*sequence_gap") as caught:
        getattr(notebook.stage, call)(hidden)
    assert hidden not in str(caught.value).partition("there is")[2]


def test_an_answer_that_returns_nothing_is_asked_for_its_return(notebook: Notebook) -> None:
    def forgets(state: RunState | None, event: RunEvent) -> None:
        pass

    with pytest.raises(CheckFailed, match="is a return missing"):
        notebook.stage.exercise("reject_a_gap")(forgets)


def test_an_answer_that_starts_a_debugger_does_not_wait(notebook: Notebook) -> None:
    def debugs(state: RunState | None, event: RunEvent) -> RunState:
        import pdb

        pdb.set_trace()
        raise AssertionError

    with pytest.raises(CheckFailed, match="EOFError: nobody can be asked during a check"):
        notebook.stage.exercise("reject_a_gap")(debugs)


WRONG_CALLS: dict[str, tuple[Callable[[Stage], object], str]] = {
    "an explanation": (lambda s: s.explain(5), "an explanation must be text: found 5"),  # type: ignore[arg-type]
    "half a character": (lambda s: s.explain("a\ud800"), "must be text that can be saved: character 2"),
    "points": (lambda s: s.explain("x", covered=1), "must be a list: found 1"),  # type: ignore[arg-type]
    "a choice": (lambda s: s.predict(["a"]), "a choice must be text"),  # type: ignore[arg-type]
    "a target": (lambda s: s.source(5), "a function of forge must be text"),  # type: ignore[arg-type]
    "an exercise": (lambda s: s.exercise(["x"]), "no exercise of"),  # type: ignore[arg-type]
    "a repair": (lambda s: s.repair(["x"]), "no fault of"),  # type: ignore[arg-type]
    "a transfer": (lambda s: s.transfer(["x"]), "no transfer of"),  # type: ignore[arg-type]
    "a fault": (lambda s: s.inject(5), "no fault of"),  # type: ignore[arg-type]
    "a hint": (lambda s: s.hint(5), "no exercise, fault or transfer"),  # type: ignore[arg-type]
    "a test": (lambda s: s.test(5), "no contract test"),  # type: ignore[arg-type]
    "a stage": (lambda s: stage_module.open_stage(5), "a stage must be text"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("call", WRONG_CALLS)
def test_a_call_with_the_wrong_kind_of_thing_says_what_is_expected(notebook: Notebook, call: str) -> None:
    run, words = WRONG_CALLS[call]
    with pytest.raises(CourseError, match=words):
        run(notebook.stage)
    assert notebook.stage.progress.stage(STEM).explanation == ""


@pytest.mark.parametrize("name", ["01", "1", STEM])
def test_a_stage_opens_by_its_number(notebook: Notebook, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage_module, "find", lambda: notebook.workspace)
    assert stage_module.open_stage(name).contract.stem == STEM


def test_a_stem_is_named_by_its_first_words_and_by_nothing_that_two_of_them_share() -> None:
    known = ("01_state", "capstone_1_versions", "capstone_2_layer")
    assert in_full("1", known, "stage") == in_full("01_state", known, "stage") == "01_state"
    assert in_full("capstone_2", known, "stage") == "capstone_2_layer"
    with pytest.raises(NotInCourse, match="there is capstone_1_versions, capstone_2_layer"):
        in_full("capstone", known, "stage")


def test_a_disk_that_refuses_costs_the_keeping_and_nothing_else(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: object, **__: object) -> None:
        raise StorageError("the disk refused to write", "there is no room.", "Make room.")

    monkeypatch.setattr("forge.course.evidence.atomic_replace", refuses)
    monkeypatch.setattr(ProgressLog, "_append", refuses)
    monkeypatch.setattr(Evidence, "trace", refuses)
    stage = notebook.stage
    stage.open()
    assert "Nothing new can be recorded. the disk refused to write" in notebook.last
    stage.predict("b")
    assert "You chose b. That is right." in repr(notebook.shown[-2])
    assert notebook.last.startswith("◐ This could not be kept")
    stage.exercise("reject_a_gap")(solved(STEM)["reject_a_gap"])
    assert notebook.last.startswith("◐ This answer passed and could not be kept")
    stage.explain("Because.")
    assert "Make room." in notebook.last
    stage.inject("text_order")
    stage.mastery()
    assert notebook.last.startswith("◐ verification.json could not be written")
    assert "Nothing was written" in repr(notebook.shown[-2]) or "still to do" in repr(notebook.shown[-2])
    monkeypatch.undo()
    monkeypatch.setattr(stage_module, "display", notebook.shown.append)
    stage.predict("b")
    assert notebook.last.startswith("✓ You chose b")


def test_a_workspace_that_is_no_folder_is_told_on_the_card_and_the_stage_works(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(workspace, "_temporary", lambda: tmp_path / "temporary")
    file = tmp_path / "a file"
    file.write_text("", encoding="utf-8")
    monkeypatch.chdir("/")
    for named in (file, file / "below"):
        monkeypatch.setenv("FORGE_WORKSPACE", str(named))
        stage = stage_module.open_stage(STEM)
        assert (
            f"Progress is not kept here. FORGE_WORKSPACE names {named}, which is no folder" in notebook.last
        )
        stage.predict("b")
        assert "That is right" in notebook.last


def test_in_a_folder_that_was_removed_the_stage_works(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(workspace, "_temporary", lambda: tmp_path / "temporary")
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    stage = stage_module.open_stage(STEM)
    assert "The folder that this notebook ran in was removed" in notebook.last
    stage.exercise("reject_a_gap")(solved(STEM)["reject_a_gap"])
    assert notebook.last.startswith("✓ Exercise passed")


def test_everything_a_stage_shows_is_the_same_on_every_machine(notebook: Notebook) -> None:
    finish(notebook)
    for shown in notebook.shown:
        for text in shown._repr_mimebundle_().values():
            assert str(notebook.workspace.folder) not in json.dumps(str(text))
