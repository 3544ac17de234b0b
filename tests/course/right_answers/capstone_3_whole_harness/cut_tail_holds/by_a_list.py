# All items are taken first, and the end is the last of them.
from forge.harness.audit import AuditRecord, AuditReport
from forge.harness.observe import Operation


def verify(self, *, anchor=None):
    *items, end = self._log.scan(anchor=anchor)
    records = tuple(
        AuditRecord(item.number, Operation.model_validate(dict(item.event)), item.record_hash)
        for item in items
    )
    return AuditReport(records, str(end.error) if end.error else None)
