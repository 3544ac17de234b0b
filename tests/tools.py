"""What the tests need beyond Python."""

from __future__ import annotations

import os
import shutil

import pytest

NAMES = {"chromium": ("chromium", "chromium-browser", "google-chrome")}


def require_tool(name: str) -> str:
    """The path of a program; without it the test is reported as not run, or under CI=true as failed."""
    for candidate in NAMES.get(name, (name,)):
        if path := shutil.which(candidate):
            return path
    words = f"not run: {name} is not installed"
    if os.environ.get("CI") == "true":
        pytest.fail(words)
    pytest.skip(words)
