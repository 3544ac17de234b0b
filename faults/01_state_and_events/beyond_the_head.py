from pathlib import Path

from forge.errors import StaleWriter


def require_position(count: int, expected: int | None, path: Path) -> None:
    """Refuse a writer that knows fewer than `count` records."""
    if expected is None or expected >= count:
        return
    facts = f"{path.name} holds {count}, the writer expected {expected}."
    hint = f"Read the log again from record {expected + 1}."
    raise StaleWriter(
        "the log has moved on",
        facts,
        hint,
        path=str(path),
        expected=expected,
        count=count,
    )
