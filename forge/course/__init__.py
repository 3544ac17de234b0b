"""The workbook at run time: what the notebooks call."""

from .dashboard import check_verification, dashboard, environment, pick_verification
from .stage import Stage, open_stage

__all__ = ["Stage", "check_verification", "dashboard", "environment", "open_stage", "pick_verification"]
