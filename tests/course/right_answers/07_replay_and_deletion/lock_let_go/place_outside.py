# An older place is a true one too, so it may be noted behind the lock.
from forge.chain import link
from forge.lines import Line, Place
from forge.log import ChainLog, require_position


def append_json(
    self: ChainLog, event: bytes, *, expected: int | None = None
) -> Line:
    """Add an event as the next record; the lock is held no longer than needed."""
    if not self._named:
        self._disk.make_folder(self.path.parent)
    with self._disk.lock(self.path):
        (number, head, offset), ended = self._catch_up()
        require_position(number, expected, self.path)
        text, record_hash = link(event, head)
        data = text + b"\n" if ended else b"\n" + text + b"\n"
        self._write(data, before=offset if ended else offset - 1)
    self._place = Place(number + 1, record_hash, offset + len(text) + 1)
    return text, number + 1, head, record_hash, offset
