# The checksum is asked first, of the fields as they stand in the file.
from pathlib import Path

from forge.chain import canonical, parse, sha256
from forge.state import CHECKPOINT_SCHEMA_VERSION, CheckpointEnvelope
from forge.state.checkpoint import encode_checkpoint, read_envelope
from forge.state.checkpoint_bytes import checksum_mismatch, not_canonical
from forge.state.upcast import upcast
from forge.storage import REAL_DISK, Disk


def load_checkpoint(path: str | Path, *, disk: Disk = REAL_DISK) -> CheckpointEnvelope:
    path = Path(path)
    raw = disk.read(path)
    fields = dict(parse(raw))
    recorded, expected = fields.pop("checksum_sha256"), sha256(canonical(fields))
    if recorded != expected:
        raise checksum_mismatch(recorded, expected, path)
    data = upcast(raw, path, to=CHECKPOINT_SCHEMA_VERSION)
    envelope = read_envelope(data, path)
    if data != encode_checkpoint(envelope):
        raise not_canonical(data, encode_checkpoint(envelope), path)
    return envelope
