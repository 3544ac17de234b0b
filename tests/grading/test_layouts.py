"""Submissions as learning platforms pack them, and the tables that they take back."""

from __future__ import annotations

import csv
import io
import json
import stat
import zipfile
from pathlib import Path

import pytest

from forge.grading import archives
from forge.grading.archives import unpack
from forge.grading.errors import GradingRefused
from forge.grading.layouts import Layout, Platform, owner
from forge.grading.platforms import Table, table
from forge.grading.results import Result
from forge.grading.submissions import Submission, collect

from .stage_one import STEM, solved
from .test_submissions import STAGES
from .test_tables_and_pages import a_result

NOTEBOOK = json.dumps(solved())
OWNERS = [
    (Layout.NESTED, "ada/week 1/x.ipynb", "ada", ""),
    (Layout.NESTED, f"ada__{STEM}.ipynb", "", ""),
    (Layout.FLAT, f"ada__{STEM}.ipynb", "ada", ""),
    (Layout.FLAT, f"week 1/ada__{STEM}.ipynb", "ada", ""),
    (Layout.FLAT, "ada/x.ipynb", "", ""),
    (Layout.CANVAS, "doejane_12345_678_x_1.ipynb", "doejane 12345", "12345"),
    (Layout.CANVAS, "doejane_LATE_12345_678_x.ipynb", "doejane 12345", "12345"),
    (Layout.CANVAS, "week 1/doejane_12345_678_x.ipynb", "doejane 12345", "12345"),
    (Layout.CANVAS, "x.ipynb", "", ""),
    (Layout.MOODLE, "Jane Doe_12345_assignsubmission_file/x.ipynb", "Jane Doe 12345", "12345"),
    (Layout.MOODLE, "Jane Doe_12345_assignsubmission_file_/a/x.ipynb", "Jane Doe 12345", "12345"),
    (Layout.MOODLE, "Jane Doe_12345_assignsubmission_file_x.ipynb", "Jane Doe 12345", "12345"),
    (Layout.MOODLE, "week 1/Jane Doe_12345_assignsubmission_file/x.ipynb", "Jane Doe 12345", "12345"),
    (Layout.MOODLE, "x.ipynb", "", ""),
]


@pytest.mark.parametrize(("layout", "path", "learner", "number"), OWNERS)
def test_a_layout_says_whose_a_file_is(layout: Layout, path: str, learner: str, number: str) -> None:
    assert owner(layout, path.split("/")) == (learner, number)


def zipped(path: Path, members: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return path


def unpacked(path: Path, layout: Layout) -> dict[str, tuple[str, str]]:
    """By learner and name: the stage and the reason of every file of a zip."""
    folder = path.parent / "unpacked"
    folder.mkdir()
    refused = unpack(path, folder, layout)
    found = [*collect(folder, STAGES, layout), *refused]
    return {f"{one.learner}: {one.path.name}": (one.stage, one.reason) for one in found}


def test_the_zip_of_a_platform_is_read(tmp_path: Path) -> None:
    canvas = zipped(tmp_path / "c.zip", {"doejane_12345_678_x.ipynb": NOTEBOOK, "notes.txt": "x"})
    found = unpacked(canvas, Layout.CANVAS)
    assert found["doejane 12345: doejane_12345_678_x.ipynb"] == (STEM, "")
    assert found[": notes.txt"][1].startswith("no learner is named: its path must be like <name>_<number>_")


def test_the_newer_of_two_files_of_a_zip_is_judged(tmp_path: Path) -> None:
    path = tmp_path / "in.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, year in (("a", 2026), ("b", 2025)):
            archive.writestr(zipfile.ZipInfo(f"doe_1_{year}_{name}.ipynb", (year, 1, 1, 0, 0, 0)), NOTEBOOK)
    reasons = {name: reason for name, (_, reason) in unpacked(path, Layout.CANVAS).items()}
    assert reasons == {
        "doe 1: doe_1_2026_a.ipynb": "",
        "doe 1: doe_1_2025_b.ipynb": "a newer one is judged: doe_1_2026_a.ipynb",
    }


@pytest.mark.parametrize(
    "name", ["../out.ipynb", "/out.ipynb", "ada/../../out.ipynb", "..\\out.ipynb", "ada//out.ipynb", "./x"]
)
def test_no_file_of_a_zip_leaves_its_folder(name: str, tmp_path: Path) -> None:
    path = zipped(tmp_path / "in.zip", {name: NOTEBOOK, "ada/in.ipynb": NOTEBOOK})
    found = unpacked(path, Layout.NESTED)
    assert sorted(reason for _, reason in found.values()) == ["", "its name leads out of the zip"]
    assert {item.name for item in tmp_path.iterdir()} == {"in.zip", "unpacked"}
    assert [item.name for item in (tmp_path / "unpacked").rglob("*.ipynb")] == ["in.ipynb"]


def test_a_link_a_large_file_and_a_second_one_of_a_name_get_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MAX_BYTES", len(NOTEBOOK) + 10)
    path = zipped(tmp_path / "in.zip", {"ada/x.ipynb": NOTEBOOK, "bob/big.ipynb": "x" * (len(NOTEBOOK) + 11)})
    link = zipfile.ZipInfo("eve/link.ipynb")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(link, "/etc/passwd")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("ada/x.ipynb", "again")
        archive.writestr("ada/x.ipynb/y.ipynb", NOTEBOOK)
        archive.writestr("cy/" + "n" * 300 + ".ipynb", NOTEBOOK)
    folder = tmp_path / "unpacked"
    folder.mkdir()
    found = [(one.learner, one.reason[:25]) for one in unpack(path, folder, Layout.NESTED)]
    assert found == [
        ("bob", "the file is too large: 0 "),
        ("eve", "a link is not read. Hand "),
        ("ada", "another file of the zip h"),
        ("ada", "it cannot be unpacked: [E"),
        ("cy", "it cannot be unpacked: [E"),
    ]
    assert (folder / "ada" / "x.ipynb").read_text(encoding="utf-8") == NOTEBOOK


def test_a_damaged_file_of_a_zip_stops_no_other(tmp_path: Path) -> None:
    path = zipped(tmp_path / "in.zip", {"ada/x.ipynb": "x" * 1000, "bob/y.ipynb": NOTEBOOK})
    data = bytearray(path.read_bytes())
    data[data.index(b"xxxx")] ^= 1
    path.write_bytes(data)
    found = unpacked(path, Layout.NESTED)
    assert found["ada: x.ipynb"][1].startswith("it cannot be unpacked: Bad CRC-32")
    assert found["bob: y.ipynb"] == (STEM, "")


def test_what_is_no_zip_and_what_is_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in.txt").write_text("x")
    with pytest.raises(GradingRefused, match=r"neither a folder nor a zip: .*in\.txt"):
        unpack(tmp_path / "in.txt", tmp_path, Layout.ANY)
    monkeypatch.setattr(archives, "MAX_FILES", 1)
    path = zipped(tmp_path / "in.zip", {"ada/x.ipynb": "", "ada/y.ipynb": ""})
    with pytest.raises(GradingRefused, match=r"the zip is too large: in\.zip holds 2 files"):
        unpack(path, tmp_path, Layout.ANY)


FILES = [
    Submission("doejane 12345", Path("/in/a.ipynb"), STEM, number="12345"),
    Submission("roerick 777", Path("/in/b.ipynb"), reason="the file is empty", number="777"),
]
RESULTS = [a_result(learner="doejane 12345")]
BY_HAND = [Submission("ada@c.org", Path("/in/ada@c.org/a.ipynb"), STEM)]


def rows(wanted: Table, files: list[Submission] = FILES, results: list[Result] = RESULTS) -> list[list[str]]:
    return list(csv.reader(io.StringIO(table(files, results, wanted))))


def test_canvas_gets_its_own_columns_and_the_number_that_its_zip_told() -> None:
    assert rows(Table(Platform.CANVAS, headings={STEM: "Stage 1 (4711)"})) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Stage 1 (4711)"],
        ["    Points Possible", "", "", "", "", "10"],
        ["doejane", "12345", "", "", "", "2.5"],
        ["roerick", "777", "", "", "", ""],
    ]


def test_canvas_finds_a_learner_by_the_login_that_a_folder_is_named_after() -> None:
    found = rows(Table(Platform.CANVAS), BY_HAND, [a_result(learner="ada@c.org")])
    assert found[2] == ["ada@c.org", "", "", "ada@c.org", "", "2.5"]
    found = rows(Table(Platform.CANVAS, "SIS User ID"), BY_HAND, [a_result(learner="ada@c.org")])
    assert found[2] == ["ada@c.org", "", "ada@c.org", "", "", "2.5"]


def test_moodle_gets_the_column_that_says_who_a_learner_is() -> None:
    assert rows(Table(Platform.MOODLE))[:2] == [["Identifier", STEM], ["Participant 12345", "2.5"]]
    assert rows(Table(Platform.MOODLE, "Full name"))[:2] == [["Full name", STEM], ["doejane", "2.5"]]
    by_hand = rows(Table(Platform.MOODLE), BY_HAND, [a_result(learner="ada@c.org")])
    assert by_hand == [["Email address", STEM], ["ada@c.org", "2.5"]]


def test_an_identity_that_nobody_knows_is_refused() -> None:
    with pytest.raises(GradingRefused, match="Canvas does not know this identity: 'Name' is none of ID, SIS"):
        rows(Table(Platform.CANVAS, "Name"))
    for wanted in (Table(Platform.CANVAS, "ID"), Table(Platform.MOODLE, "Identifier")):
        with pytest.raises(GradingRefused, match=r"no (ID|Identifier) is known: .*--identity"):
            rows(wanted, BY_HAND, [])


def test_a_stage_that_could_not_be_judged_is_empty_and_not_zero() -> None:
    assert rows(Table(Platform.MOODLE), results=[a_result(learner="doejane 12345", reason="x")])[1][1] == ""


def test_the_clock_of_a_zip_is_that_of_its_files(tmp_path: Path) -> None:
    path = tmp_path / "in.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(zipfile.ZipInfo("ada/x.ipynb", (2026, 1, 2, 3, 4, 4)), NOTEBOOK)
    unpack(path, tmp_path, Layout.NESTED)
    assert (tmp_path / "ada" / "x.ipynb").stat().st_mtime == 1767323044
