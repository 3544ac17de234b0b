"""The base of what is kept in an SQLite file: memories, derived summaries, versions."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from .database import PATIENCE, Closing, Database, Scrub


class Store(Closing):
    """What stands in one `Database`. A subclass gives the `layout` of its tables and says what they mean."""

    layout: ClassVar[Mapping[str, str]]

    def __init__(
        self, path: str | os.PathLike[str], *, patience: float = PATIENCE, durable: bool = True
    ) -> None:
        self.path = Path(path)
        self.database = Database(path, self.layout, patience=patience, durable=durable)

    @property
    def connection(self) -> sqlite3.Connection:
        """SQLite's connection, to look at what is stored."""
        return self.database.connection

    @property
    def journal_mode(self) -> str:
        """How SQLite protects a transaction here: "wal", or "delete" where its write-ahead log is unsafe."""
        return self.database.journal_mode

    def files(self) -> tuple[Path, ...]:
        """The files of the database, those that exist now."""
        return self.database.files()

    def scrub(self) -> Scrub:
        """Write the files anew; see `Database.scrub`."""
        return self.database.scrub()

    def close(self) -> None:
        """Close the file; again is no error."""
        self.database.close()
