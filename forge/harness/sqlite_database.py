"""Mechanism 21: one SQLite file with seven tables, for questions that a log answers slowly.

It is a projection: what must not be lost stands in the transcripts and in the audit log. So usage
is collected and written a few dozen calls at a time, which a kill may cost; whoever asks, writes first.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from ..database import PATIENCE
from ..store import Store
from .streaming import Usage

LAYOUT = {
    "sessions": """CREATE TABLE sessions (
        session_id TEXT PRIMARY KEY, agent TEXT NOT NULL, opened INTEGER NOT NULL, closed INTEGER
    )""",
    "runs": """CREATE TABLE runs (
        session_id TEXT NOT NULL, run_id TEXT NOT NULL, status TEXT NOT NULL, retries TEXT,
        PRIMARY KEY (session_id, run_id)
    )""",
    "model_calls": """CREATE TABLE model_calls (
        number INTEGER PRIMARY KEY, session_id TEXT NOT NULL, model TEXT NOT NULL,
        input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, cost INTEGER NOT NULL
    )""",
    "tool_calls": """CREATE TABLE tool_calls (
        number INTEGER PRIMARY KEY, session_id TEXT NOT NULL, call_id TEXT NOT NULL, tool TEXT NOT NULL,
        ok INTEGER NOT NULL, duration_us INTEGER NOT NULL
    )""",
    "presented_files": """CREATE TABLE presented_files (
        session_id TEXT NOT NULL, digest TEXT NOT NULL, path TEXT NOT NULL,
        PRIMARY KEY (session_id, digest, path)
    )""",
    "schedules": """CREATE TABLE schedules (
        schedule_id TEXT PRIMARY KEY, prompt TEXT NOT NULL, rrule TEXT NOT NULL, start INTEGER NOT NULL,
        zone TEXT NOT NULL, done INTEGER
    )""",
    "schedule_runs": """CREATE TABLE schedule_runs (
        schedule_id TEXT NOT NULL, due INTEGER NOT NULL, claimed INTEGER NOT NULL, missed INTEGER NOT NULL,
        status TEXT NOT NULL, PRIMARY KEY (schedule_id, due)
    )""",
}
"""The seven tables. Moments are whole microseconds since 1970, costs millionths of a credit."""

_BATCH = 64


class ModelUsage(NamedTuple):
    """What one model was used for: calls, tokens, and cost in millionths of a credit."""

    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    cost: int


class ToolUsage(NamedTuple):
    """What one tool was used for: calls, those that failed, and microseconds in all."""

    tool: str
    calls: int
    failed: int
    duration_us: int


class HarnessDatabase(Store):
    """The database of a workspace. Several processes may use it; each writes its own calls."""

    layout = LAYOUT

    def __init__(
        self, path: str | os.PathLike[str], *, patience: float = PATIENCE, durable: bool = True
    ) -> None:
        super().__init__(path, patience=patience, durable=durable)
        self._models: list[tuple[object, ...]] = []
        self._tools: list[tuple[object, ...]] = []

    def open_session(self, session_id: str, agent: str, opened: int) -> None:
        """Remember a session; one that is there already stays as it is."""
        with self.database.writing() as connection:
            row = (session_id, agent, opened)
            connection.execute("INSERT OR IGNORE INTO sessions VALUES (?, ?, ?, NULL)", row)

    def close_session(self, session_id: str, closed: int) -> None:
        """Remember when a session ended."""
        self.flush()
        with self.database.writing() as connection:
            connection.execute("UPDATE sessions SET closed = ? WHERE session_id = ?", (closed, session_id))

    def put_run(self, session_id: str, run_id: str, status: str, retries: str | None = None) -> None:
        """Remember where a run of a session stands."""
        with self.database.writing() as connection:
            row = (session_id, run_id, status, retries)
            connection.execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?)", row)

    def track_model(self, session_id: str, model: str, usage: Usage, cost: int) -> None:
        """Count one call of a model."""
        self._models.append((session_id, model, usage.input_tokens, usage.output_tokens, cost))
        self._flush_when_full()

    def track_tool(self, session_id: str, call_id: str, tool: str, ok: bool, duration_us: int) -> None:
        """Count one call of a tool."""
        self._tools.append((session_id, call_id, tool, int(ok), duration_us))
        self._flush_when_full()

    def flush(self) -> None:
        """Write what was collected."""
        if not (self._models or self._tools):
            return
        with self.database.writing() as connection:
            connection.executemany("INSERT INTO model_calls VALUES (NULL, ?, ?, ?, ?, ?)", self._models)
            connection.executemany("INSERT INTO tool_calls VALUES (NULL, ?, ?, ?, ?, ?)", self._tools)
        self._models, self._tools = [], []

    def model_usage(self, session_id: str | None = None) -> list[ModelUsage]:
        """The usage of each model, in one session or in all."""
        self.flush()
        rows = self.database.read(
            "SELECT model, count(*), sum(input_tokens), sum(output_tokens), sum(cost) FROM model_calls "
            "WHERE :session IS NULL OR session_id = :session GROUP BY model ORDER BY model",
            {"session": session_id},
        )
        return [ModelUsage(*row) for row in rows]

    def tool_usage(self, session_id: str | None = None) -> list[ToolUsage]:
        """The usage of each tool, in one session or in all."""
        self.flush()
        rows = self.database.read(
            "SELECT tool, count(*), sum(1 - ok), sum(duration_us) FROM tool_calls "
            "WHERE :session IS NULL OR session_id = :session GROUP BY tool ORDER BY tool",
            {"session": session_id},
        )
        return [ToolUsage(*row) for row in rows]

    def close(self) -> None:
        """Write what was collected and let go of the file."""
        try:
            self.flush()
        finally:
            super().close()

    def _flush_when_full(self) -> None:
        if len(self._models) + len(self._tools) >= _BATCH:
            self.flush()
