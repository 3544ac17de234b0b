"""Forge: a small, correct implementation of how a long-running agent keeps its state.

The names of stages 5 to 7 can be imported from here. A module is loaded when one of its names is first used:
`import forge` costs a kernel nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .context import CompressedContext, ContextPacket, compress_context, verify_critical_fidelity
    from .memory import MemoryRecord, MemoryScope, MemoryStore
    from .replay import DerivedSummaryCache, EventJournal, delete_memory_everywhere

__all__ = [
    "CompressedContext",
    "ContextPacket",
    "DerivedSummaryCache",
    "EventJournal",
    "MemoryRecord",
    "MemoryScope",
    "MemoryStore",
    "compress_context",
    "delete_memory_everywhere",
    "verify_critical_fidelity",
]

_ROOMS = {
    "context": ("CompressedContext", "ContextPacket", "compress_context", "verify_critical_fidelity"),
    "memory": ("MemoryRecord", "MemoryScope", "MemoryStore"),
    "replay": ("DerivedSummaryCache", "EventJournal", "delete_memory_everywhere"),
}


def __getattr__(name: str) -> Any:
    for room, names in _ROOMS.items():
        if name in names:
            return getattr(import_module(f".{room}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
