import nbformat
import pytest

from forge.authoring.cells import read_source
from forge.authoring.editions import convert
from forge.authoring.leaks import leaks
from forge.course.contract import load_stage

STEM = "90_toy_stage"
GAP = "if not isinstance(value, str) or not value.strip():"


def leaked(toy, cell=None, output=None):
    """The lines found in the toy stage, with one more output if it is given."""
    source = read_source(toy.root / f"solutions/{STEM}.py")
    notebook = convert(source, "learner")
    if output is not None:
        notebook.cells[cell].outputs = [output]
    return [line for _, line in leaks(source, notebook, load_stage(STEM))]


def display(**data):
    return nbformat.v4.new_output(
        "display_data", {key.replace("_", "/"): value for key, value in data.items()}
    )


def test_a_sound_stage_leaks_nothing(toy):
    assert leaked(toy) == []


@pytest.mark.parametrize(
    "output",
    [
        display(text_plain=f"    {GAP}"),
        display(text_html=f"<pre><b>if not</b> {GAP.removeprefix('if not ')}</pre>"),
        display(text_markdown=f"```python\n{GAP}\n```"),
        nbformat.v4.new_output("stream", text=f"12 {GAP}\n"),
    ],
    ids=["text", "html", "markdown", "printed"],
)
@pytest.mark.parametrize("cell", [1, 3], ids=["an earlier cell", "its own cell"])
def test_a_line_in_an_output_up_to_the_exercise_is_a_leak(toy, cell, output):
    assert leaked(toy, cell, output) == [GAP]


def test_a_line_in_an_output_after_the_exercise_is_none(toy):
    assert leaked(toy, 5, display(text_plain=GAP)) == []


def test_escaped_html_is_read_as_it_is_shown(toy):
    toy.edit("solutions/{stem}.py", "or not value.strip():", "or len(value) < 1:")
    shown = "if not isinstance(value, str) or len(value) &lt; 1:"
    assert leaked(toy, 1, display(text_html=shown)) == ["if not isinstance(value, str) or len(value) < 1:"]


@pytest.mark.parametrize("line", ["    x = 1", "    raise EventRefused(", "        )"])
def test_a_short_line_and_one_that_only_opens_a_call_tell_nothing(toy, line):
    toy.edit(
        "solutions/{stem}.py",
        "raise EventRefused(words)",
        "raise EventRefused(\n            words\n        )",
    )
    toy.edit("solutions/{stem}.py", "    ### BEGIN SOLUTION", "    ### BEGIN SOLUTION\n    x = 1")
    assert leaked(toy, 1, display(text_plain=line)) == []


def test_a_line_that_stands_in_the_given_part_of_the_cell_tells_nothing(toy):
    toy.edit("solutions/{stem}.py", "    ### END", "        value = event.payload.get(field)\n    ### END")
    assert leaked(toy, 1, display(text_plain="value = event.payload.get(field)")) == []


def test_a_line_that_the_real_source_shows_outside_the_folded_ones_tells_nothing(toy):
    line = "value = event.payload.get(field)"
    toy.edit(
        "solutions/{stem}.py",
        "### BEGIN SOLUTION\n    value =",
        "### BEGIN SOLUTION\n    value = 0\n    value =",
    )
    assert leaked(toy, 1, display(text_plain=line)) == []


def test_a_line_of_a_repair_before_it_is_a_leak_unless_an_earlier_repair_gives_it(toy):
    path = "solutions/{stem}.py"
    old = "    return value.strip()\n    ### END"
    toy.edit(path, old, "    return str(value).strip()\n    ### END")
    line = "return str(value).strip()"
    assert leaked(toy, 1, display(text_plain=line)) == [line]

    toy.edit("faults/{stem}/blank_accepted.py", "return value.strip()", line)
    first = '# %%\n@stage.repair("blank_accepted")\ndef payload_text(event, field, words):\n'
    first += "    ### BEGIN SOLUTION\n    pass\n    ### END SOLUTION\n\n# %%\n@stage.repair"
    toy.edit(path, "# %%\n@stage.repair", first)
    assert leaked(toy) == []


def test_a_model_explanation_before_its_cell_is_a_leak(toy):
    line = "Two readers would disagree about blanks."
    assert leaked(toy, 1, display(text_plain=line)) == [line]


def test_a_transfer_may_use_what_was_shown_but_not_stand_there_whole(toy):
    created = 'created = RunEvent(event_id="b1", run_id="b", sequence=1, kind="run_created")'
    assert leaked(toy, 1, display(text_plain=created)) == []
    text = (toy.root / f"solutions/{STEM}.py").read_text(encoding="utf-8")
    whole = text[text.index("    created =") : text.index("    return state")]
    assert created in leaked(toy, 1, display(text_plain=whole))[0]
