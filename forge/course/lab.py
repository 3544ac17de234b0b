"""A learner's working copy of the course, and JupyterLab on it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from nbformat import read, writes
from nbformat.sign import NotebookNotary
from pydantic import Field

from .. import resources
from ..chain import parse, sha256
from ..errors import CourseError, ForgeModel, InvalidValue
from ..storage import REAL_DISK, atomic_replace
from .contract import in_full
from .evidence import COURSE_VERSION
from .notebooks import notebook_of
from .workspace import MARKER

FIRST = "00_start_here.ipynb"
CONNECTION = "ServerApp.kernel_websocket_connection_class=forge.course.connection.PromptConnection"


class Manifest(ForgeModel):
    """The content of forge-workspace.json: each notebook's SHA-256 when it was copied from the course."""

    course_version: str
    notebooks: dict[str, str] = Field(default_factory=dict)


def open_workspace(folder: Path) -> list[str]:
    """Make `folder` a workspace, or bring it up to date; returns what was done, one sentence each.

    A notebook that the learner never touched follows the course. A touched one stays as it is.
    """
    course = resources.root() / "notebooks"
    if _holds_the_course(folder.resolve()):
        raise CourseError(
            "this folder holds the course itself",
            str(folder),
            "Name another with --workspace, such as my_forge.",
        )
    folder.mkdir(parents=True, exist_ok=True)
    said: list[str] = []
    with _locked(folder):
        manifest = read_manifest(folder)
        copied = dict(manifest.notebooks)
        for pristine in sorted(course.glob("*.ipynb")):
            name, new = pristine.name, without_outputs(pristine)
            own = folder / name
            if own.is_file() and own.read_bytes() == new:
                pass
            elif not own.exists():
                said.append(f"{name} was copied from the course.")
                atomic_replace(own, new)
            elif copied.get(name) == sha256(own.read_bytes()):
                said.append(f"{name} was replaced by a newer edition; you had not changed it.")
                atomic_replace(own, new)
            else:
                if copied.get(name) != sha256(new):
                    stem = pristine.stem
                    said.append(f"{name} has a newer edition; yours stays. `forge reset {stem}` brings it.")
                continue
            copied[name] = sha256(new)
        write_manifest(folder, Manifest(course_version=COURSE_VERSION, notebooks=copied))
    return said


_ROOMS = {"benchmarks", "build", "docs", "faults", "forge", "notebooks", "solutions", "tests"}


def _holds_the_course(folder: Path) -> bool:
    """Whether the folder is the course or lies in one of its rooms; `my_forge` beside them does not."""
    root = resources.root().resolve()
    if not folder.is_relative_to(root):
        return folder.is_relative_to(Path(__file__).resolve().parents[1])
    first = [*folder.relative_to(root).parts, ""][0]
    return first in _ROOMS or first.startswith(".") or not first


def reset(stem: str, folder: Path) -> Path | None:
    """Bring back the pristine notebook of a stage; returns where a changed one was kept."""
    known = sorted(path.stem for path in (resources.root() / "notebooks").glob("*.ipynb"))
    name = in_full(stem, known, "notebook")
    if not (folder / MARKER).is_file():
        raise CourseError("this folder is not a workspace", str(folder), "Make one with `forge lab`.")
    pristine = without_outputs(resources.notebook(name))
    own = folder / f"{name}.ipynb"
    kept = None
    with _locked(folder):
        if own.exists() and own.read_bytes() != pristine:
            kept = _keep_beside(own)
        atomic_replace(own, pristine)
        manifest = read_manifest(folder)
        copied = {**manifest.notebooks, own.name: sha256(pristine)}
        write_manifest(folder, manifest.model_copy(update={"notebooks": copied}))
    return kept


def without_outputs(path: Path) -> bytes:
    """The notebook as a learner begins with it: nothing has run, so no answer is on the page yet."""
    notebook = notebook_of(path)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    text: str = writes(notebook) + "\n"
    return text.encode("utf-8")


def _locked(folder: Path) -> AbstractContextManager[object]:
    own = folder / ".forge"
    own.mkdir(exist_ok=True)
    return REAL_DISK.lock(own / "lock")


def _keep_beside(own: Path) -> Path:
    number = 1
    while True:
        kept = own.with_name(f"{own.stem}.kept-{number}.ipynb")
        try:
            REAL_DISK.create(kept, own.read_bytes())
        except FileExistsError:
            number += 1
            continue
        REAL_DISK.sync(kept)
        return kept


def read_manifest(folder: Path) -> Manifest:
    """The workspace's manifest; an empty one for a new workspace. A damaged one raises `CourseError`."""
    path = folder / MARKER
    if not path.is_file():
        return Manifest(course_version=COURSE_VERSION)
    try:
        return Manifest.model_validate(parse(path.read_bytes()))
    except InvalidValue as error:
        raise CourseError(
            f"{MARKER} cannot be read",
            str(error),
            "Move it away and run `forge lab` again; your notebooks stay.",
        ) from None


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest, for people to read as well."""
    text = json.dumps(manifest.model_dump(mode="json"), ensure_ascii=False, indent=2, sort_keys=True)
    atomic_replace(folder / MARKER, text.encode("utf-8") + b"\n")


def lab_environment(folder: Path) -> dict[str, str]:
    """The environment in which JupyterLab keeps everything of its own under the workspace's .forge folder."""
    own = folder / ".forge"
    places = {
        "JUPYTER_CONFIG_DIR": own / "config",
        "JUPYTER_DATA_DIR": own / "data",
        "JUPYTER_RUNTIME_DIR": own / "runtime",
        "JUPYTERLAB_SETTINGS_DIR": own / "settings",
        "JUPYTERLAB_WORKSPACES_DIR": own / "workspaces",
        "IPYTHONDIR": own / "ipython",
    }
    for place in places.values():
        place.mkdir(parents=True, exist_ok=True)
    _write_once(
        own / "config" / "labconfig" / "page_config.json",
        {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}},
    )
    _write_once(
        own / "config" / "jupyter_server_config.json",
        {"FileContentsManager": {"pre_save_hook": "forge.course.saving.keep_readable"}},
    )
    _write_once(
        own / "settings" / "@jupyter-widgets" / "jupyterlab-manager" / "plugin.jupyterlab-settings",
        {"saveState": True},
    )
    # A terminal or a cell in Lab then finds the forge of this environment.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return {**os.environ, "PATH": path, **{name: str(place) for name, place in places.items()}}


def _write_once(path: Path, content: dict[str, object]) -> None:
    # A setting that the learner changed later stays as they left it.
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def sign(folder: Path, data: Path) -> None:
    """Sign the notebooks that are as the course made them, so that Lab trusts their outputs."""
    manifest = read_manifest(folder)
    notary = NotebookNotary(data_dir=str(data))
    for name, digest in manifest.notebooks.items():
        path = folder / name
        if path.is_file() and sha256(path.read_bytes()) == digest:
            notary.sign(read(path, as_version=4))


def lab_command(folder: Path, arguments: Sequence[str]) -> list[str]:
    """The command that runs JupyterLab: what the course sets, then `arguments`, whose settings win.

    Jupyter refuses a setting that is given twice.
    """
    ours = [f"ServerApp.root_dir={folder}", f"LabApp.default_url=/lab/tree/{FIRST}", CONNECTION]
    named = {argument.lstrip("-").partition("=")[0] for argument in arguments}
    settings = [f"--{setting}" for setting in ours if setting.partition("=")[0] not in named]
    return [sys.executable, "-m", "jupyterlab", *settings, *arguments]


def launch(folder: Path, arguments: Sequence[str]) -> int:
    """Run JupyterLab on a workspace until it ends; returns its exit code."""
    environment = lab_environment(folder)
    sign(folder, Path(environment["JUPYTER_DATA_DIR"]))
    command = lab_command(folder, arguments)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")
    if sys.platform != "win32":
        os.execve(sys.executable, command, environment)
    return subprocess.call(command, env=environment)
