# As the notebook's solved edition has it.
from pathlib import Path

from forge.state import CHECKPOINT_SCHEMA_VERSION, CheckpointEnvelope
from forge.state.checkpoint import checkpoint_checksum, encode_checkpoint, read_envelope
from forge.state.checkpoint_bytes import checksum_mismatch, not_canonical
from forge.state.upcast import upcast
from forge.storage import REAL_DISK, Disk


def load_checkpoint(path: str | Path, *, disk: Disk = REAL_DISK) -> CheckpointEnvelope:
    """The checkpoint in the file, or a refusal."""
    path = Path(path)
    data = upcast(disk.read(path), path, to=CHECKPOINT_SCHEMA_VERSION)
    envelope = read_envelope(data, path)
    content = (envelope.schema_version, envelope.state, envelope.anchor)
    recorded = envelope.checksum_sha256
    expected = checkpoint_checksum(*content)
    if expected != recorded:
        raise checksum_mismatch(recorded, expected, path)
    if data != encode_checkpoint(envelope):
        raise not_canonical(data, encode_checkpoint(envelope), path)
    return envelope
