# Only the part that is read has to fit.
import re

from forge.errors import InvalidValue
from forge.wording import show


def read(self, digest, start=0, length=4_000):
    """At most `length` characters of an output, from `start` on; `InvalidValue` when it was changed."""
    if not isinstance(digest, str) or not re.fullmatch(r"[0-9a-f]{64}", digest):
        raise InvalidValue("digest was refused", f"expected 64 hexadecimal digits, found {show(digest)}.")
    try:
        data = self._disk.read(self._path(digest))
    except FileNotFoundError:
        raise InvalidValue("no output has this digest", f"{digest[:12]}… is not kept here.") from None
    if len(data) == 0:
        raise InvalidValue(
            "an output was changed", f"the file {digest[:12]}… holds other bytes.", "Run the tool again."
        )
    if start < 0 or length < 1:
        raise InvalidValue(
            "the part was refused", f"expected start ≥ 0, length ≥ 1, found {start}, {length}."
        )
    return data.decode("utf-8")[start : start + min(length, self.limit)]
