"""Capstone 1: version memory. What was known after the first n events, and what is in force on a day."""

from ..errors import ContractError
from .club import EVENTS, QUESTIONS, Question, club_repository
from .digests import canonical, sha
from .events import (
    Event,
    ImportDocument,
    RevokeDocument,
    RevokeMemory,
    WriteMemory,
    as_event,
    import_document,
)
from .questions import Answer, Citation, recall
from .replay import replay_prefix, verified
from .repository import Repository
from .spans import Span, named, now_active, spans
from .states import EMPTY, State, active_docs, active_memories, identity_of, reduce_event
from .views import status_on, temporal_view

__all__ = [
    "EMPTY",
    "EVENTS",
    "QUESTIONS",
    "Answer",
    "Citation",
    "ContractError",
    "Event",
    "ImportDocument",
    "Question",
    "Repository",
    "RevokeDocument",
    "RevokeMemory",
    "Span",
    "State",
    "WriteMemory",
    "active_docs",
    "active_memories",
    "as_event",
    "canonical",
    "club_repository",
    "identity_of",
    "import_document",
    "named",
    "now_active",
    "recall",
    "reduce_event",
    "replay_prefix",
    "sha",
    "spans",
    "status_on",
    "temporal_view",
    "verified",
]
