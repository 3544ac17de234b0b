from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TRACKED = subprocess.run(
    ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=False
).stdout.split("\n")


def test_conda_users_get_the_same_requirements() -> None:
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    plain = [line for line in environment["dependencies"] if isinstance(line, str)]
    wanted = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["harness"]]
    assert sorted(set(plain) - {"pip", "python=3.12"}) == sorted(wanted)
    assert "python=3.12" in plain


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock", "requirements-bench.lock"])
def test_a_lock_file_pins_every_package_by_hash_and_names_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    pins = re.findall(r"^([a-z0-9._-]+)==\S+", text, re.MULTILINE)
    assert len(pins) > 100
    assert text.count("--hash=sha256:") >= len(pins)
    assert "://" not in text
    assert not {"rfc3987-syntax", "lark"} & set(pins)


def test_the_locks_pin_what_the_project_asks_for() -> None:
    extras = PROJECT["optional-dependencies"]
    wanted = {re.split(r"[<>=]", line)[0] for line in [*PROJECT["dependencies"], *extras["harness"]]}
    development = {re.split(r"[<>=]", line)[0] for line in [*extras["dev"], *extras["cluster"]]}
    for lock, names in (("requirements.lock", wanted), ("requirements-dev.lock", wanted | development)):
        text = (ROOT / lock).read_text(encoding="utf-8")
        assert names <= set(re.findall(r"^([a-z0-9._-]+)==", text, re.MULTILINE))


def test_no_lock_file_that_records_addresses_is_kept() -> None:
    assert "uv.lock" not in TRACKED


def test_the_changelog_speaks_of_this_version() -> None:
    assert f"## {PROJECT['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_wheel_alone_holds_the_course_and_no_solution(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    unpacked = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        archive.extractall(unpacked)
    assert "forge/_data/notebooks/01_state_and_events.ipynb" in names
    assert "forge/_data/faults/01_state_and_events/sequence_gap.py" in names
    assert "forge/_data/tests/stages/test_01_state_and_events.py" in names
    assert "forge/course/stages/01_state_and_events.yaml" in names
    assert not [name for name in names if "solutions" in name or "probes" in name or "_answers" in name]
    # In an empty folder, with only the wheel's own files on the path, the lab finds everything.
    script = (
        "import forge, sys; from pathlib import Path; from forge.course.lab import open_workspace, sign;"
        "from forge.course import dashboard; from forge.course.judging import run_contract_tests;"
        "from forge.course.contract import load_stage, stems;"
        "assert Path(forge.__file__).is_relative_to(sys.argv[1]), forge.__file__;"
        "print(open_workspace(Path('my_forge').resolve()));"
        "print([run_contract_tests(load_stage(s)).verdict for s in stems()])"
    )
    empty = tmp_path / "empty"
    empty.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", script, str(unpacked)],
        cwd=empty,
        env={**os.environ, "PYTHONPATH": str(unpacked)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (empty / "my_forge" / "01_state_and_events.ipynb").is_file()
    assert "passed" in done.stdout
    assert "failed" not in done.stdout


TEXTS = [
    name
    for name in TRACKED
    if name.endswith((".md", ".py", ".yaml", ".yml", ".toml")) and (ROOT / name).is_file()
]


def test_every_text_file_is_utf8_with_unix_line_ends() -> None:
    for name in TEXTS:
        (ROOT / name).read_text(encoding="utf-8")
    assert [name for name in TEXTS if b"\r" in (ROOT / name).read_bytes()] == []


@pytest.mark.parametrize("name", [name for name in TEXTS if name.endswith(".md")])
def test_every_relative_link_leads_somewhere(name: str) -> None:
    path = ROOT / name
    for target in re.findall(r"\]\((?!https?://|#)([^)#\s]+)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), f"{name} links to {target}"
