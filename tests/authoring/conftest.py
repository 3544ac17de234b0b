"""A tiny course on one real function of forge, written to a temporary folder."""

import textwrap
from pathlib import Path

import nbformat
import pytest

from forge.authoring.cells import read_source
from forge.authoring.editions import convert
from forge.course.contract import load_fault, load_stage

STEM = "90_toy_stage"

CONTRACT = """\
    title: The toy stage
    minutes: {core: 5, more: 0}
    experiment_id: state-memory-context-90-toy
    input: two events
    evidence: evidence/90-toy-stage
    capability: {before: a step may be blank, after: a step has a name}
    boundary: a payload is read in one place
    prediction:
      question: What is a step of three spaces?
      options:
        a: {text: a step, why: It would have no name.}
        b: {text: a mistake, why: Nothing can be shown for it.}
      answer: b
    exercises:
      - id: blank_step
        title: Refuse a blank step
        target: forge.state.models:payload_text
        minutes: 5
        tests: [test_a_blank_step_is_rejected]
        hints: [Look at the spaces.]
        criteria: [A blank step is refused.]
        points: 1
        solution_lines: ["if not isinstance(value, str) or not value.strip():"]
    faults:
      - {id: spaces_kept, path: core}
      - {id: blank_accepted, path: transfer}
    transfer:
      id: office_brief
      title: The brief
      target: forge.course.scenes:office_brief
      scene: An office.
      changed: The words.
      tests: [test_the_brief_is_at_its_step]
      must_notice: [blank_accepted]
      hints: [Try a blank step.]
      criteria: [It notices.]
      points: 1
    explain:
      question: Why one place?
      rubric: [Two would disagree.]
    mastery: [a step has a name]
"""

TESTS = """\
    import pytest

    from forge.state import RunEvent, apply_event, reduce_events

    CREATED = RunEvent(event_id="e1", run_id="r", sequence=1, kind="run_created")


    def step(name):
        return RunEvent(event_id="e2", run_id="r", sequence=2, kind="step_started", payload={"step": name})


    def test_a_blank_step_is_rejected():
        try:
            reduce_events([CREATED, step("   ")])
        except ValueError:
            return
        raise AssertionError("a blank step must be rejected")


    def test_a_step_is_stripped():
        state = apply_event(reduce_events([CREATED]), step(" draft "))
        assert state.current_step == "draft", "spaces around a step must go"
"""

SCENE = """\
    from forge.course.scenes import office_brief


    def test_the_brief_is_at_its_step():
        assert office_brief().current_step == "brief"
"""

FAULT = """\
    title: A fault
    story: It happened.
    target: forge.state.models:payload_text
    fails: [{test}]
    error: {error}
    mechanisms: [payload_text]
    command: python -m pytest -q ../tests/test_stage.py::{test}
    diagnosis: [Read the failure.]
    repair_principle: Strip, then look.
    solvable_because: The stage has shown it.
    hints: [Look at the spaces.]
    seen_in: owner/repo#1
    definite: true
"""

SPACES_KEPT = """\
    from forge.errors import EventRefused


    def payload_text(event, field, words):
        value = event.payload.get(field)
        if not isinstance(value, str) or not value.strip():
            raise EventRefused(words)
        return value
"""

BLANK_ACCEPTED = """\
    def payload_text(event, field, words):
        value = event.payload.get(field)
        return value.strip()
"""

SOURCE = '''\
    # %% [markdown]
    # # The toy stage

    # %%
    from forge.course import open_stage
    from forge.errors import EventRefused
    from forge.state import RunEvent, reduce_events

    stage = open_stage("90_toy_stage")

    # %%
    stage.predict()

    # %%
    @stage.exercise("blank_step")
    def payload_text(event, field, words):
        value = event.payload.get(field)
        ### BEGIN SOLUTION
        if not isinstance(value, str) or not value.strip():
            raise EventRefused(words)
        ### END SOLUTION
        return value.strip()

    # %%
    @stage.repair("spaces_kept")
    def payload_text(event, field, words):
        ### BEGIN SOLUTION
        value = event.payload.get(field)
        if not isinstance(value, str) or not value.strip():
            raise EventRefused(words)
        return value.strip()
        ### END SOLUTION

    # %%
    @stage.transfer("office_brief")
    def office_brief():
        ### BEGIN SOLUTION
        created = RunEvent(event_id="b1", run_id="b", sequence=1, kind="run_created")
        for name in ["   ", "brief"]:
            payload = {"step": name}
            step = RunEvent(event_id="b2", run_id="b", sequence=2, kind="step_started", payload=payload)
            try:
                state = reduce_events([created, step])
            except ValueError:
                continue
            assert name == "brief"
        return state
        ### END SOLUTION

    # %%
    stage.explain("""
    ### BEGIN SOLUTION
    Two readers would disagree about blanks.
    ### END SOLUTION
    """)
'''

WRONG = """\
    def payload_text(event, field, words):
        return str(event.payload.get(field)).strip()
"""

RIGHT = """\
    from forge.errors import EventRefused


    def payload_text(event, field, words):
        text = event.payload.get(field)
        if isinstance(text, str) and (text := text.strip()):
            return text
        raise EventRefused(words)
"""


class Toy:
    """The course in its folder, for a test to spoil."""

    def __init__(self, root: Path) -> None:
        self.root = root
        answers = f"tests/course/{{}}_answers/{STEM}/blank_step"
        test, scene = "test_a_step_is_stripped", "test_a_blank_step_is_rejected"
        faults = f"faults/{STEM}"
        files = {
            f"forge/course/stages/{STEM}.yaml": CONTRACT,
            f"tests/stages/test_{STEM}.py": TESTS,
            f"tests/stages/scene_{STEM}.py": SCENE,
            f"{faults}/spaces_kept.yaml": FAULT.format(test=test, error="spaces around a step must go"),
            f"{faults}/spaces_kept.py": SPACES_KEPT,
            f"{faults}/blank_accepted.yaml": FAULT.format(test=scene, error="must be rejected"),
            f"{faults}/blank_accepted.py": BLANK_ACCEPTED,
            f"solutions/{STEM}.py": SOURCE,
            f"{answers.format('wrong')}/a.py": WRONG,
            f"{answers.format('right')}/a.py": RIGHT,
        }
        for name, text in files.items():
            self.write(name, textwrap.dedent(text))
        (root / "notebooks").mkdir()
        self.commit()

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def edit(self, name: str, old: str, new: str) -> None:
        """Change one place in one file."""
        path = self.root / name.format(stem=STEM)
        text = path.read_text(encoding="utf-8")
        assert old in text
        self.write(name.format(stem=STEM), text.replace(old, new, 1))
        load_stage.cache_clear()
        load_fault.cache_clear()

    def commit(self) -> None:
        """Write the learner edition, not executed."""
        notebook = convert(read_source(self.root / f"solutions/{STEM}.py"), "learner")
        self.write(f"notebooks/{STEM}.ipynb", nbformat.writes(notebook))


@pytest.fixture
def toy(tmp_path, monkeypatch):
    monkeypatch.setenv("FORGE_COURSE", str(tmp_path))
    load_stage.cache_clear()
    load_fault.cache_clear()
    yield Toy(tmp_path)
    load_stage.cache_clear()
    load_fault.cache_clear()
