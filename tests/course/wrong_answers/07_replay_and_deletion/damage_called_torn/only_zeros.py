# Zeros are damage; everything else that is no record was cut.
from forge.chain import follows, unseal
from forge.errors import InvalidValue
from forge.lines import broken_chain, canonical_form, hash_mismatch, not_canonical, torn_tail


def refusal(text, ended, place, path, earlier):
    same = canonical_form(text)
    if same is not None and same != text and follows(same, place.head):
        return not_canonical(place, path)
    if not text.strip(b"\0"):
        return hash_mismatch("zeros", place, path)
    try:
        _, previous, recorded, computed = unseal(same or text)
    except InvalidValue:
        return torn_tail(text, place, path)
    if previous != place.head:
        before = earlier(place.offset) if recorded == computed else b""
        return broken_chain(previous, place, path, before)
    found = f"it says {recorded[:12]!r}, its bytes give {computed[:12]!r}"
    return hash_mismatch(found, place, path)
