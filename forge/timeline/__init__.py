"""The replay slider."""

from __future__ import annotations

from .dates import Edges, Rectangle
from .timeline import Timeline

__all__ = ["Edges", "Rectangle", "Timeline"]
