import json
import textwrap

import nbformat
import pytest

from forge.authoring import build
from forge.errors import BuildFailed, NotInCourse

PLAIN = """\
    # %% [markdown] jp-MarkdownHeadingCollapsed=true note="dropped"
    # # Plain

    # %%
    import os
    from pathlib import Path

    from IPython.display import display

    print(os.environ.get("FORGE_WORKSPACE"), os.environ.get("FORGE_GRADING"))
    Path.cwd().name

    # %%
    {"sorted": sorted({"b", "a"}), "hash": hash("seed")}

    # %%
    view = {"model_id": os.urandom(4).hex(), "version_major": 2, "version_minor": 0}
    data = {"text/plain": "a", "text/html": "<i>a</i>", "application/vnd.jupyter.widget-view+json": view}
    display(data, raw=True)

    # %%
    import ipywidgets

    slider = ipywidgets.IntSlider()
"""


@pytest.fixture
def plain(toy):
    (toy.root / "solutions" / "90_toy_stage.py").unlink()
    toy.write("solutions/00_plain.py", textwrap.dedent(PLAIN))
    return toy


def built(plain):
    return nbformat.read(plain.root / "notebooks/00_plain.ipynb", as_version=nbformat.NO_CONVERT)


def outputs(cell):
    return [output.get("text") or dict(output.data) for output in cell.outputs]


def test_a_build_writes_both_editions_and_a_second_one_writes_the_same_bytes(plain, monkeypatch):
    monkeypatch.setenv("FORGE_WORKSPACE", str(plain.root))
    monkeypatch.setenv("FORGE_GRADING", "1")
    paths = [plain.root / "notebooks/00_plain.ipynb", plain.root / "build/solved/00_plain.ipynb"]
    assert build() == [
        "◐ notebooks/00_plain.ipynb was written",
        "◐ build/solved/00_plain.ipynb was written",
    ]
    first = [path.read_bytes() for path in paths]
    assert build(["00_plain"]) == [
        "✓ notebooks/00_plain.ipynb is as it was",
        "✓ build/solved/00_plain.ipynb is as it was",
    ]
    assert [path.read_bytes() for path in paths] == first

    notebook = built(plain)
    nbformat.validate(notebook)
    assert [cell.id for cell in notebook.cells] == [f"00-plain-{n:03d}" for n in range(1, 6)]
    assert [cell.get("execution_count") for cell in notebook.cells] == [None, 1, 2, 3, 4]
    assert notebook.cells[0].metadata == {"jp-MarkdownHeadingCollapsed": True}
    assert all(cell.metadata == {} for cell in notebook.cells[1:])
    assert set(notebook.metadata) == {"forge", "kernelspec", "language_info"}
    assert notebook.metadata.language_info == {"name": "python"}
    assert notebook.metadata.forge.stage == "00_plain"
    assert outputs(notebook.cells[1]) == ["None None\n", {"text/plain": "'notebooks'"}]
    assert outputs(notebook.cells[3]) == [{"text/plain": "a", "text/html": "<i>a</i>"}]


def test_the_solved_edition_can_be_built_alone_and_each_line_is_told_at_once(plain):
    told = []
    assert build(solved=True, tell=told.append) == ["◐ build/solved/00_plain.ipynb was written"]
    assert told == ["◐ build/solved/00_plain.ipynb was written"]
    # Neither a learner edition nor what a kernel leaves behind.
    assert [path.name for path in (plain.root / "notebooks").iterdir()] == ["90_toy_stage.ipynb"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("1 / 0", "a cell raised ZeroDivisionError: division by zero"),
        ("object()", "a memory address"),
        ("print(os.getcwd())", "a path of this machine"),
        ("ipywidgets.IntSlider()", "no HTML beside it"),
        ("os._exit(1)", "the kernel died"),
    ],
)
def test_a_cell_that_cannot_be_kept_fails_the_build_with_its_line_and_changes_nothing(plain, line, words):
    source = textwrap.dedent(PLAIN) + f"\n# %%\n\n{line}\n"
    plain.write("solutions/00_plain.py", source)
    plain.write("notebooks/00_plain.ipynb", "as it was")
    with pytest.raises(BuildFailed, match=words) as failure:
        build()
    assert failure.value.evidence["line"] == len(source.splitlines())
    assert (plain.root / "notebooks/00_plain.ipynb").read_text() == "as it was"


def test_a_solution_shown_before_its_exercise_fails_the_build(toy):
    toy.edit("solutions/{stem}.py", "stage.predict()", "print('raise Event' + 'Refused(words)')")
    toy.edit("solutions/{stem}.py", "from forge.course import open_stage", "from unittest import mock")
    toy.edit("solutions/{stem}.py", 'stage = open_stage("90_toy_stage")', "stage = mock.MagicMock()")
    with pytest.raises(BuildFailed, match=r"too early: raise EventRefused\(words\)"):
        build()


def test_a_fresh_notebook_passes_the_check_whatever_its_outputs_are(toy):
    path = toy.root / "notebooks/90_toy_stage.ipynb"
    notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    notebook.cells[1].outputs = [nbformat.v4.new_output("stream", text="run")]
    notebook.cells[1].execution_count = 1
    nbformat.write(notebook, path)
    before = path.read_bytes()
    assert build(check=True) == ["✓ notebooks/90_toy_stage.ipynb comes from its source"]
    assert path.read_bytes() == before
    assert not (toy.root / "build").exists()


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (
            lambda nb: nb["cells"][2].update(source="stage.predict('a')"),
            "source of cell 90-toy-stage-003 was",
        ),
        (lambda nb: nb["cells"][2].update(id="x"), "id of cell 90-toy-stage-003 was edited"),
        (lambda nb: nb["cells"][2]["metadata"].update(tags=["x"]), "metadata of cell 90-toy-stage-003"),
        (lambda nb: nb["cells"].pop(), "it has 6 cells, expected 7"),
        (lambda nb: nb["metadata"]["forge"].update(source_sha256="0"), "built from another source"),
        (lambda nb: nb["metadata"].update(widgets={}), "metadata was edited"),
        (lambda nb: nb["metadata"].pop("forge"), "built from another source"),
    ],
)
def test_a_notebook_that_does_not_come_from_its_source_fails_the_check(toy, spoil, reason):
    path = toy.root / "notebooks/90_toy_stage.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    spoil(notebook)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    with pytest.raises(BuildFailed, match=reason):
        build(check=True)


def test_a_changed_fault_makes_the_notebook_stale_that_shows_it(toy):
    toy.edit("faults/{stem}/spaces_kept.py", "return value", "return str(value)")
    with pytest.raises(BuildFailed, match="source of cell 90-toy-stage-005"):
        build(check=True)


def test_the_check_names_every_notebook_that_is_stale(toy):
    toy.write("solutions/91_other.py", "# %%\nx = 1\n")
    toy.edit("solutions/{stem}.py", "# # The toy", "# # A toy")
    with pytest.raises(BuildFailed, match=r"90_toy_stage.*91_other.*never built"):
        build(check=True)


def test_line_ends_of_another_system_make_no_notebook_stale(toy):
    path = toy.root / "solutions/90_toy_stage.py"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert build(check=True)


def test_an_unknown_notebook_is_refused(toy):
    with pytest.raises(NotInCourse, match="90_toy_stage"):
        build(["91_other"])


def test_a_missing_fault_is_named_with_the_line_of_its_decorator(toy):
    (toy.root / "faults/90_toy_stage/spaces_kept.py").unlink()
    lines = (toy.root / "solutions/90_toy_stage.py").read_text().splitlines()
    line = lines.index('@stage.repair("spaces_kept")') + 1
    with pytest.raises(BuildFailed, match=rf"no fault 'spaces_kept'.*line {line}\."):
        build(check=True)
