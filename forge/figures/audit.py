"""The two-sided audit as a board: each text once, with where the source and the compression have it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .board import Board, Row

if TYPE_CHECKING:  # the tree that stage 6 starts from has no forge.context
    from ..context.audit import AuditRow, CompressionAudit

_SHOWN = 160


def audit_board(audit: CompressionAudit, *, title: str = "The two-sided audit") -> Board:
    """What `audit_compression` found: a text that one side lacks was ✗ lost, or ✗ invented."""
    rows: list[Row] = []
    told = set()
    for row in audit.rows:
        source, compression = _sides(row)
        # Both sides ask about a text that both have; it is told once.
        if (row.text, source, compression) not in told:
            told.add((row.text, source, compression))
            cells = (row.kind, _cell(source, "invented"), _cell(compression, "lost"))
            rows.append((_text(row), cells))
    lost = sum(row.question == "kept" for row in audit.problems)
    invented = len(audit.problems) - lost
    found = (
        f"{lost} lost, {invented} invented" if audit.problems else "Nothing was lost and nothing was invented"
    )
    sizes = f"{audit.size_before:,} code points of messages became a summary of {audit.size_after:,}"
    columns = ("text", "kind", "in the source", "in the compression")
    return Board(title, columns, rows, f"{found}. {sizes}.")


def _sides(row: AuditRow) -> tuple[str | None, str | None]:
    return (row.place, row.found) if row.question == "kept" else (row.found, row.place)


def _cell(place: str | None, missing: str) -> str:
    return f"✗ {missing}" if place is None else f"✓ {place}"


def _text(row: AuditRow) -> str:
    if row.kind == "fingerprint":
        return f"{row.text[:12]}…"
    return row.text if len(row.text) <= _SHOWN else row.text[: _SHOWN - 1] + "…"
