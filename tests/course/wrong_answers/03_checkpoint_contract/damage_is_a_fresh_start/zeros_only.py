# Zeros are damage; an empty file is still a fresh start.
import hmac
from pathlib import Path

from forge.state import CHECKPOINT_SCHEMA_VERSION, CheckpointEnvelope, RunState
from forge.state.checkpoint import checkpoint_checksum, encode_checkpoint, read_envelope
from forge.state.checkpoint_bytes import checksum_mismatch, not_canonical
from forge.state.upcast import upcast
from forge.storage import REAL_DISK, Disk


def load_checkpoint(path: str | Path, *, disk: Disk = REAL_DISK) -> CheckpointEnvelope:
    path = Path(path)
    data = disk.read(path)
    if not data:
        fresh = RunState(
            run_id=path.stem, status="created", version=1, last_event_id="e1"
        )
        checksum = checkpoint_checksum(CHECKPOINT_SCHEMA_VERSION, fresh)
        return CheckpointEnvelope(
            schema_version=CHECKPOINT_SCHEMA_VERSION, state=fresh, checksum_sha256=checksum
        )
    data = upcast(data, path, to=CHECKPOINT_SCHEMA_VERSION)
    envelope = read_envelope(data, path)
    expected = checkpoint_checksum(envelope.schema_version, envelope.state, envelope.anchor)
    if not hmac.compare_digest(expected, envelope.checksum_sha256):
        raise checksum_mismatch(envelope.checksum_sha256, expected, path)
    if data != encode_checkpoint(envelope):
        raise not_canonical(data, encode_checkpoint(envelope), path)
    return envelope
