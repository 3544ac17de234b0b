# The refusal of what is no record has words of its own.
from collections.abc import Callable
from pathlib import Path
from forge.chain import follows, unseal
from forge.errors import InvalidValue, LogError
from forge.lines import Place, canonical_form, not_canonical
from forge.lines import broken_chain, hash_mismatch, torn_tail


def refusal(
    text: bytes, ended: bool, place: Place, path: Path, earlier: Callable[[int], bytes]
) -> LogError:
    """What is wrong with a line that does not continue the log from `place`."""
    same = canonical_form(text)
    if same is not None and same != text and follows(same, place.head):
        return not_canonical(place, path)
    if not ended:
        return torn_tail(text, place, path)
    try:
        _, previous, recorded, computed = unseal(same or text)
    except InvalidValue:
        return hash_mismatch("it is not a record", place, path)
    if previous != place.head:
        before = earlier(place.offset) if recorded == computed else b""
        return broken_chain(previous, place, path, before)
    found = f"it says {recorded[:12]!r}, its bytes give {computed[:12]!r}"
    return hash_mismatch(found, place, path)
