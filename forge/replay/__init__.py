"""Stage 7: the journal of a run, summaries derived from memories, and deleting a memory everywhere."""

from .convert import Conversion, convert
from .deletion import Deletion, Receipt, delete_memory_everywhere
from .journal import EventJournal, JournalRecord
from .summaries import DerivedSummaryCache

__all__ = [
    "Conversion",
    "Deletion",
    "DerivedSummaryCache",
    "EventJournal",
    "JournalRecord",
    "Receipt",
    "convert",
    "delete_memory_everywhere",
]
