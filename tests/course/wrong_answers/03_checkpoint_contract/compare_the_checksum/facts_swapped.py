# The order of two texts in an error does not matter.
from pathlib import Path

from forge.state import CHECKPOINT_SCHEMA_VERSION, CheckpointEnvelope
from forge.state.checkpoint import checkpoint_checksum, encode_checkpoint, read_envelope
from forge.state.checkpoint_bytes import checksum_mismatch, not_canonical
from forge.state.upcast import upcast
from forge.storage import REAL_DISK, Disk


def load_checkpoint(path: str | Path, *, disk: Disk = REAL_DISK) -> CheckpointEnvelope:
    path = Path(path)
    data = upcast(disk.read(path), path, to=CHECKPOINT_SCHEMA_VERSION)
    envelope = read_envelope(data, path)
    expected = checkpoint_checksum(envelope.schema_version, envelope.state, envelope.anchor)
    if expected != envelope.checksum_sha256:
        raise checksum_mismatch(expected, envelope.checksum_sha256, path)
    if data != encode_checkpoint(envelope):
        raise not_canonical(data, encode_checkpoint(envelope), path)
    return envelope
