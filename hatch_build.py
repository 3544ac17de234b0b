"""Put the files of the course into the wheel, and only there: an editable install reads the checkout."""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDERS = ("notebooks", "faults", "tests/stages")


class CourseFiles(BuildHookInterface[Any]):
    """Adds notebooks, faults and contract tests as forge/_data; never solutions or probes."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the folders for a real wheel; for an editable one they would go stale."""
        if version == "standard":
            build_data["force_include"].update({folder: f"forge/_data/{folder}" for folder in FOLDERS})
