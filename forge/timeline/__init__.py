"""The replay slider."""

from __future__ import annotations

from .timeline import Timeline

__all__ = ["Timeline"]
