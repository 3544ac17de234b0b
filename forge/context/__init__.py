"""Stage 6: what a model sees, made shorter without losing what must not be lost."""

from .audit import AuditRow, CompressionAudit, audit_compression
from .compression import Summarizer, compress_context
from .packet import CompressedContext, ContextPacket, critical_fingerprint, verify_critical_fidelity

__all__ = [
    "AuditRow",
    "CompressedContext",
    "CompressionAudit",
    "ContextPacket",
    "Summarizer",
    "audit_compression",
    "compress_context",
    "critical_fingerprint",
    "verify_critical_fidelity",
]
