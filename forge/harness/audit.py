"""Mechanism 23, the audit log: every operation leaves a record, and the records are chained.

It is a typed view of `ChainLog`: what was changed, added or removed in the middle shows by itself; that the
end is missing shows against an anchor kept elsewhere, which `anchor()` gives. An unkeyed hash says nothing
against somebody who can write the whole file anew.
"""

from __future__ import annotations

from os import PathLike
from typing import NamedTuple

from ..lines import ScanEnd
from ..log import Anchor, ChainLog, Repair
from ..storage import REAL_DISK, Disk
from .observe import Operation, hide_secrets


class AuditRecord(NamedTuple):
    """One operation of the log, its number from 1, and its hash."""

    number: int
    operation: Operation
    record_hash: str


class AuditReport(NamedTuple):
    """How far the log can be trusted: the records up to there, and why reading stopped, if it had to."""

    records: tuple[AuditRecord, ...]
    problem: str | None

    @property
    def holds(self) -> bool:
        """Whether every record verified."""
        return self.problem is None


class AuditLog:
    """The operations of a workspace, in the order they ended. Any number of processes may write.

    Records are synced every `fsync_every` appends and by `sync()`: a kill loses none, a power cut the last.
    """

    def __init__(self, path: str | PathLike[str], *, fsync_every: int = 16, disk: Disk = REAL_DISK) -> None:
        self._log = ChainLog(path, fsync_every=fsync_every, disk=disk)
        self.path = self._log.path

    def append(self, operation: Operation) -> AuditRecord:
        """Keep an operation. What looks like a secret is hidden, whoever calls."""
        record = self._log.append(hide_secrets(operation.model_dump()))
        return AuditRecord(record.number, operation, record.record_hash)

    def sync(self) -> None:
        """Return when all records are on the device."""
        self._log.sync()

    def repair(self) -> Repair | None:
        """Set aside a last line that was cut while it was written."""
        return self._log.repair()

    def anchor(self) -> Anchor:
        """What to keep elsewhere of the log as it is now."""
        return self._log.anchor()

    def read(self, *, anchor: Anchor | None = None) -> list[AuditRecord]:
        """All records, verified, with an `anchor` also against it; or a `LogError` for the first bad line."""
        return [
            AuditRecord(record.number, Operation.model_validate(dict(record.event)), record.record_hash)
            for record in self._log.read(anchor=anchor)
        ]

    def verify(self, *, anchor: Anchor | None = None) -> AuditReport:
        """What can be trusted of the log, without raising."""
        found: list[AuditRecord] = []
        problem: str | None = None
        for item in self._log.scan(anchor=anchor):
            if isinstance(item, ScanEnd):
                problem = str(item.error) if item.error else None
            else:
                operation = Operation.model_validate(dict(item.event))
                found.append(AuditRecord(item.number, operation, item.record_hash))
        return AuditReport(tuple(found), problem)
