from pathlib import Path

from forge.state import CHECKPOINT_SCHEMA_VERSION, CheckpointEnvelope
from forge.state.checkpoint import checkpoint_checksum, encode_checkpoint, read_envelope
from forge.state.checkpoint_bytes import no_state, not_canonical
from forge.state.upcast import upcast
from forge.storage import REAL_DISK, Disk


def load_checkpoint(path: str | Path, *, disk: Disk = REAL_DISK) -> CheckpointEnvelope:
    """The checkpoint in the file; whatever is wrong with it is told in the same words."""
    path = Path(path)
    data = upcast(disk.read(path), path, to=CHECKPOINT_SCHEMA_VERSION)
    envelope = read_envelope(data, path)
    expected = checkpoint_checksum(
        envelope.schema_version,
        envelope.state,
        envelope.anchor,
    )
    if envelope.checksum_sha256 != expected:
        raise no_state(f"{path.name} is not as it should be.", path)
    if data != encode_checkpoint(envelope):
        raise not_canonical(data, encode_checkpoint(envelope), path)
    return envelope
