# As the notebook's solved edition has it.
from pathlib import Path

from forge.errors import SequenceGap, StaleWriter


def require_position(count: int, expected: int | None, path: Path) -> None:
    """Refuse a writer that does not know exactly `count` records."""
    if expected is None or expected == count:
        return
    facts = f"{path.name} holds {count}, the writer expected {expected}."
    if expected < count:
        hint = f"Read the log again from record {expected + 1}."
        raise StaleWriter(
            "the log has moved on",
            facts,
            hint,
            path=str(path),
            expected=expected,
            count=count,
        )
    hint = f"Find records {count + 1} to {expected} before adding another."
    raise SequenceGap(
        "the log ends too early",
        facts,
        hint,
        path=str(path),
        expected=expected,
        count=count,
    )
