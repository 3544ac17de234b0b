from pathlib import Path

from forge.state import CHECKPOINT_SCHEMA_VERSION, CheckpointEnvelope, RunState
from forge.state.checkpoint import checkpoint_checksum, encode_checkpoint, envelope_of
from forge.state.checkpoint import read_envelope
from forge.state.checkpoint_bytes import checksum_mismatch, not_canonical
from forge.state.upcast import upcast
from forge.storage import REAL_DISK, Disk


def load_checkpoint(path: str | Path, *, disk: Disk = REAL_DISK) -> CheckpointEnvelope:
    """The checkpoint in the file; a new run where the file holds nothing."""
    path = Path(path)
    data = disk.read(path)
    if not data.strip(b"\0"):
        first = {"status": "created", "version": 1, "last_event_id": "e1"}
        return envelope_of(RunState(run_id=path.stem, **first))
    data = upcast(data, path, to=CHECKPOINT_SCHEMA_VERSION)
    envelope = read_envelope(data, path)
    content = (envelope.schema_version, envelope.state, envelope.anchor)
    recorded = envelope.checksum_sha256
    expected = checkpoint_checksum(*content)
    if expected != recorded:
        raise checksum_mismatch(recorded, expected, path)
    if data != encode_checkpoint(envelope):
        raise not_canonical(data, encode_checkpoint(envelope), path)
    return envelope
