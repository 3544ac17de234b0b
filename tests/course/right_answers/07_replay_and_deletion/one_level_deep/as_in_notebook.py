# Forge's own walk along the lineage, and its choice of what still holds the text.
from forge.replay import DerivedSummaryCache
from forge.replay.summaries import DERIVED, TAINTED


def derived_from(self: DerivedSummaryCache, memory_id: str) -> dict[str, str]:
    """The summaries that hold text of a memory, directly or through others."""
    rows = self.database.read(
        f"{TAINTED} SELECT summary_id, content FROM summaries WHERE {DERIVED}",
        {"memory_id": memory_id},
    )
    return {row["summary_id"]: row["content"] for row in rows}
