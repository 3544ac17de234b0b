"""Mechanism 13: large outputs."""

import pytest

from forge.chain import sha256
from forge.errors import InvalidValue, StorageError
from forge.fakes import FakeDisk
from forge.harness.externalise import Outputs

LONG = "秋 line\n" * 2000


@pytest.fixture
def outputs(tmp_path):
    return Outputs(tmp_path / "outputs", limit=1000)


def test_a_short_output_stays_in_the_conversation(outputs):
    assert outputs.shorten("x" * 1000) == ("x" * 1000, None)
    assert not outputs.folder.exists()


def test_a_long_output_leaves_a_pointer_by_which_every_character_is_found(outputs):
    text, pointer = outputs.shorten(LONG)
    assert len(text) < 1000
    assert pointer.digest in text
    parts = [outputs.read(pointer.digest, at, 1000) for at in range(0, len(LONG), 1000)]
    assert "".join(parts) == LONG


def test_a_file_is_named_after_its_content_and_stored_once(outputs):
    first, second = outputs.store(LONG), outputs.store(LONG)
    assert first == second
    files = [path for path in outputs.folder.rglob("*") if path.is_file()]
    assert [path.stem for path in files] == [sha256(LONG.encode())]


def test_a_changed_file_is_refused_and_mended_by_storing_the_output_again(outputs):
    pointer = outputs.store(LONG)
    next(outputs.folder.rglob("*.txt")).write_text("forged")
    with pytest.raises(InvalidValue, match="an output was changed"):
        outputs.read(pointer.digest)
    outputs.store(LONG)
    assert outputs.read(pointer.digest).startswith("秋")


@pytest.mark.parametrize("digest", ["", "../../etc/passwd", "A" * 64, "g" * 64, 3])
def test_what_is_no_digest_reaches_no_file(outputs, digest):
    with pytest.raises(InvalidValue, match="digest was refused"):
        outputs.read(digest)


def test_an_unknown_digest_is_told(outputs):
    with pytest.raises(InvalidValue, match="no output has this digest"):
        outputs.read("0" * 64)


@pytest.mark.parametrize(("start", "length"), [(-1, 10), (0, 0)])
def test_a_part_that_does_not_exist_is_refused(outputs, start, length):
    with pytest.raises(InvalidValue, match="the part was refused"):
        outputs.read(outputs.store(LONG).digest, start, length)


def test_a_full_disk_leaves_no_half_output(tmp_path):
    disk = FakeDisk(fail={2: OSError(28, "no space")})
    with pytest.raises(StorageError):
        Outputs(tmp_path, disk=disk).store(LONG)
    assert not [path for path in disk.files if path.suffix == ".txt"]
