"""The target: the repository that the agent changes. It can be rolled back, and the ledger must not be."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Protocol

from ..errors import StorageError
from .talk import code


class Target(Protocol):
    """What an agent does to a repository. `status` is a receipt: it is right when it is asked for."""

    folder: Path

    def write(self, feature: str) -> None:
        """Write the feature's file; nothing is committed."""

    def status(self) -> str:
        """The files that are not committed, one a line, as `?? features/F01.txt`."""

    def commit(self, feature: str) -> None:
        """Commit everything in the folder: a green point."""

    def holds(self, feature: str) -> bool:
        """Whether the feature is in the last green commit."""

    def roll_back(self) -> None:
        """Make the folder what the last green commit holds."""


class Files:
    """What both targets share: one file a feature."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)

    def write(self, feature: str) -> None:
        """Write the feature's file; nothing is committed."""
        path = self.folder / _name(feature)
        path.parent.mkdir(exist_ok=True)
        path.write_text(code(feature), encoding="utf-8", newline="\n")


class PlainTarget(Files):
    """A target for where git is missing: its green commit is a second copy of its files."""

    @property
    def _green(self) -> Path:
        return self.folder / ".green"

    def status(self) -> str:
        """See `Target`."""
        return "".join(
            f"?? {name}\n" for name in self._files(self.folder) if not (self._green / name).exists()
        )

    def commit(self, feature: str) -> None:
        """See `Target`."""
        for name in self._files(self.folder):
            (self._green / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.folder / name, self._green / name)

    def holds(self, feature: str) -> bool:
        """See `Target`."""
        return (self._green / _name(feature)).exists()

    def roll_back(self) -> None:
        """See `Target`."""
        for name in self._files(self.folder):
            (self.folder / name).unlink()
        for name in self._files(self._green):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self._green / name, self.folder / name)

    @staticmethod
    def _files(folder: Path) -> list[str]:
        files = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
        return sorted(path.as_posix() for path in files if path.parts[0] != ".green")


class GitTarget(Files):
    """A real git repository, untouched by the settings of the machine."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        if not (folder / ".git").exists():
            self._git("init", "--quiet")
            self._git("commit", "--quiet", "--allow-empty", "--message", "Nothing is built yet")

    def status(self) -> str:
        """See `Target`."""
        return self._git("status", "--short", "--untracked-files=all")

    def commit(self, feature: str) -> None:
        """See `Target`."""
        self._git("add", "--all")
        self._git("commit", "--quiet", "--allow-empty", "--message", f"Build {feature}")

    def holds(self, feature: str) -> bool:
        """See `Target`."""
        return bool(self._git("ls-tree", "--name-only", "HEAD", _name(feature)))

    def roll_back(self) -> None:
        """See `Target`."""
        self._git("reset", "--quiet", "--hard", "HEAD")
        self._git("clean", "--quiet", "--force", "-d", "-x")

    def _git(self, *arguments: str) -> str:
        # Neither a hook nor a signature nor an identity of this machine may decide what a lab shows.
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        alone = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
        person = ("-c", "user.name=agent", "-c", "user.email=agent@example.invalid")
        done = subprocess.run(
            ["git", *person, "-c", "gc.auto=0", *arguments],
            cwd=self.folder,
            env=kept | alone,
            capture_output=True,
            encoding="utf-8",
        )
        if done.returncode:
            raise StorageError(
                "git refused",
                f"git {arguments[0]} in {self.folder}: {done.stderr.strip()}.",
                "Look at the repository, then do it again.",
                path=str(self.folder),
                operation=arguments[0],
            )
        return done.stdout


def open_target(folder: Path) -> Target:
    """The target in a folder: a git repository, or plain files where git is missing."""
    return GitTarget(folder) if shutil.which("git") else PlainTarget(folder)


def _name(feature: str) -> str:
    return f"features/{feature}.txt"
