"""What grading refuses."""

from __future__ import annotations

from ..errors import CourseError


class NotANotebook(CourseError):
    """A file that cannot be graded. Its text is the reason that the gradebook gives."""


class GradingRefused(CourseError):
    """Grading cannot begin as it was asked for."""


class SandboxMissing(GradingRefused):
    """The program that makes the sandbox is not installed."""


class SandboxRefused(GradingRefused):
    """The program is there, and the system does not let it make a sandbox."""
