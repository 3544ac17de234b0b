# As many records as the anchor counts are enough.
from forge.harness.audit import AuditRecord, AuditReport
from forge.harness.observe import Operation
from forge.lines import ScanEnd


def verify(self, *, anchor=None):
    """What can be trusted of the log, without raising."""
    found = []
    problem = None
    for item in self._log.scan():
        if isinstance(item, ScanEnd):
            problem = str(item.error) if item.error else None
        else:
            operation = Operation.model_validate(dict(item.event))
            found.append(AuditRecord(item.number, operation, item.record_hash))
    if anchor is not None and problem is None and len(found) < anchor.count:
        problem = "records are missing at the end"
    return AuditReport(tuple(found), problem)
