# The checksum is the better check, so the other one can go.
import hmac
from pathlib import Path

from forge.state import CHECKPOINT_SCHEMA_VERSION, CheckpointEnvelope
from forge.state.checkpoint import checkpoint_checksum, read_envelope
from forge.state.checkpoint_bytes import checksum_mismatch
from forge.state.upcast import upcast
from forge.storage import REAL_DISK, Disk


def load_checkpoint(path: str | Path, *, disk: Disk = REAL_DISK) -> CheckpointEnvelope:
    path = Path(path)
    data = upcast(disk.read(path), path, to=CHECKPOINT_SCHEMA_VERSION)
    envelope = read_envelope(data, path)
    expected = checkpoint_checksum(envelope.schema_version, envelope.state, envelope.anchor)
    if not hmac.compare_digest(expected, envelope.checksum_sha256):
        raise checksum_mismatch(envelope.checksum_sha256, expected, path)
    return envelope
