"""Which bytes are hashed: canonical JSON, digests, links, and values that cannot change.

A record of a chained log is one line:

    {"event":{…},"previous_hash":"<64 hex>","record_hash":"<64 hex>"}

`record_hash` is the SHA-256 of the canonical JSON of `{"event": …, "previous_hash": …}`. Keys are sorted, so
that pre-image is the line itself up to `,"record_hash"` and a closing brace: the bytes that are stored are
the bytes that are hashed, and a line is verified without writing its JSON again.

A hash without a key shows accidents and careless edits. Whoever can rewrite the whole file can compute every
hash again; only an anchor kept elsewhere shows that.
"""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any, Never, NoReturn

from pydantic_core import from_json

from .errors import InvalidValue
from .wording import show

GENESIS = "0" * 64
"""The previous hash of the first record of a chain."""

MAX_SAFE_INTEGER = 2**53 - 1
"""The largest whole number that every JSON reader keeps exact (RFC 8259, section 6)."""

MAX_DEPTH = 64
"""How deep lists and mappings may be nested: far below the recursion limit of any reader."""


class FrozenDict(dict[str, Any]):
    """A dict that refuses every change; equal to a plain dict with the same content."""

    __slots__ = ()

    def _refuse(self, *_args: object, **_kwargs: object) -> Never:
        raise TypeError("this value is frozen: make a new one instead of changing it")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __copy__(self) -> FrozenDict:
        return self

    def __deepcopy__(self, _memo: object) -> FrozenDict:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)


class FrozenList(list[Any]):
    """A list that refuses every change; equal to a plain list with the same content."""

    __slots__ = ()

    def _refuse(self, *_args: object, **_kwargs: object) -> Never:
        raise TypeError("this value is frozen: make a new one instead of changing it")

    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = extend = insert = remove = pop = clear = sort = reverse = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self))

    def __copy__(self) -> FrozenList:
        return self

    def __deepcopy__(self, _memo: object) -> FrozenList:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenList, (list(self),)


def freeze(value: Any, path: str = "value", depth: int = 0) -> Any:
    """A copy of `value` that cannot change, at any depth, and that JSON gives back equal.

    Accepted: None, bool, int within ±`MAX_SAFE_INTEGER`, finite float, text without lone surrogates, lists,
    and mappings with text keys, nested up to `MAX_DEPTH`. Anything else raises `InvalidValue` with its path.
    """
    kind = type(value)
    if kind is str:
        return value if value.isascii() else check_text(value, path)
    if value is None or kind is bool:
        return value
    if kind is int and -MAX_SAFE_INTEGER <= value <= MAX_SAFE_INTEGER:
        return value
    if kind is float and math.isfinite(value):
        return value
    if depth >= MAX_DEPTH and kind in (dict, list, FrozenDict, FrozenList):
        refuse(path, f"at most {MAX_DEPTH} levels of nesting", kind.__name__)
    if kind in (dict, FrozenDict):
        # Nearly every item is plain text, and replaying a journal waits for this line.
        return FrozenDict(
            {
                freeze_key(key, path): item
                if type(item) is str and item.isascii()
                else freeze(item, f"{path}.{key}", depth + 1)
                for key, item in value.items()
            }
        )
    if kind in (list, FrozenList):
        return FrozenList([freeze(item, f"{path}[{i}]", depth + 1) for i, item in enumerate(value)])
    refuse(
        path, "null, true, false, a finite number within ±(2^53−1), text, a list or a mapping", show(value)
    )


def freeze_key(key: object, path: str) -> str:
    """The key itself, if it is text; JSON would turn any other key into text."""
    if type(key) is not str:
        refuse(path, "keys that are text", f"the key {show(key)}")
    return key if key.isascii() else check_text(key, f"{path}.{key}")


def check_text(text: str, path: str) -> str:
    """The text itself, if it can be written as UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        refuse(
            path.encode("utf-8", "backslashreplace").decode(), "text that is valid Unicode", ascii(text[:40])
        )
    return text


def refuse(path: str, expected: str, found: str) -> NoReturn:
    """Raise the `InvalidValue` of a value that JSON would change or lose."""
    where = path if len(path) <= 100 else f"{path[:50]}…{path[-49:]}"
    raise InvalidValue(
        f"{where} was refused",
        f"expected {expected}, found {found}.",
        path=path,
        expected=expected,
        found=found,
    )


def thaw(value: Any) -> Any:
    """A plain copy, of dicts and lists that may be changed."""
    if isinstance(value, dict):
        return {key: thaw(item) for key, item in value.items()}
    if isinstance(value, list):
        return [thaw(item) for item in value]
    return value


def canonical(value: Any) -> bytes:
    """The one way to write `value` as JSON: sorted keys, no spaces, UTF-8. Refuses what `freeze` refuses."""
    return encode(freeze(value))


_to_json = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, allow_nan=False, sort_keys=True, separators=(",", ":")
).encode


def encode(frozen: Any) -> bytes:
    """The canonical JSON of a value that `freeze` has checked already."""
    return _to_json(frozen).encode("utf-8")


def sha256(data: bytes) -> str:
    """The SHA-256 digest of `data`, as 64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def parse(data: bytes) -> Any:
    """The frozen value that `data` writes as JSON; `parse(canonical(v)) == v` for every accepted `v`.

    Refuses with `InvalidValue` what two readers could understand differently: a key given twice, NaN and
    infinity, whole numbers beyond ±`MAX_SAFE_INTEGER`, bytes that are not UTF-8.
    """
    try:
        value = json.loads(
            data.decode("utf-8"), object_pairs_hook=_pairs, parse_int=_whole, parse_constant=_constant
        )
    except UnicodeDecodeError as error:
        refuse("JSON text", "UTF-8", f"the byte 0x{data[error.start]:02x} at offset {error.start}")
    except json.JSONDecodeError as error:
        refuse(
            "JSON text", f"JSON ({error.msg.lower()})", f"{show(error.doc[error.pos :][:30])} at {error.pos}"
        )
    except RecursionError:
        refuse("JSON text", f"at most {MAX_DEPTH} levels of nesting", "more")
    return freeze(value)


def parse_canonical(data: bytes) -> Any:
    """What `parse` gives for canonical JSON, in a third of the time; None for any other bytes."""
    try:
        value = freeze(from_json(data))
        return value if encode(value) == data else None
    except ValueError:
        return None


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        refuse(f"JSON key {twice!r}", "each key once", "the key twice")
    return found


def _whole(digits: str) -> int:
    # Python refuses to read very long numbers with an error of its own; ours comes first.
    if len(digits) > len(str(-MAX_SAFE_INTEGER)):
        refuse("JSON number", "a whole number within ±(2^53−1)", show(digits))
    return int(digits)


def _constant(name: str) -> NoReturn:
    refuse("JSON number", "a finite number", name)


_SEAL = b',"record_hash":"%b"}'
_LINK = b',"previous_hash":"%b"'
_SEAL_SIZE = len(_SEAL) - 2 + 64
_LINK_SIZE = len(_LINK) - 2 + 64
_END_SIZE = _LINK_SIZE + _SEAL_SIZE
_OPEN = b'{"event":'
_OPEN_SIZE = len(_OPEN)


def seal(event: Any, previous_hash: str) -> tuple[bytes, str]:
    """The line of a record, without its newline, and its record hash."""
    return link(canonical(event), previous_hash)


def link(event: bytes, previous_hash: str) -> tuple[bytes, str]:
    """What `seal` gives, for an event that is canonical JSON already."""
    body = _OPEN + event + _LINK % previous_hash.encode("ascii")
    record_hash = sha256(body + b"}")
    return body + _SEAL % record_hash.encode("ascii"), record_hash


def unseal(line: bytes) -> tuple[bytes, str, str, str]:
    """The four parts of a line: event bytes, previous hash, record hash, and the hash its bytes really have.

    Only slices and one SHA-256: nothing is parsed. A line of another shape raises `InvalidValue`.
    """
    body, end = line[:-_SEAL_SIZE], line[-_SEAL_SIZE:]
    event, link = body[len(_OPEN) : -_LINK_SIZE], body[-_LINK_SIZE:]
    previous, recorded = link[-65:-1], end[-66:-2]
    if not body.startswith(_OPEN) or link != _LINK % previous or end != _SEAL % recorded:
        refuse("record", 'the shape {"event":…,"previous_hash":"…","record_hash":"…"}', show(line[:40]))
    computed = hashlib.sha256(body)
    computed.update(b"}")
    return event, previous.decode("latin-1"), recorded.decode("latin-1"), computed.hexdigest()


def follows(line: bytes, previous_hash: str) -> str | None:
    """The record hash of a line that verifies and follows `previous_hash`; None for any other line.

    It says what `unseal` would show, for readers of many lines: one SHA-256 and one comparison of the end.
    """
    record_hash = hashlib.sha256(line[:-_SEAL_SIZE] + b"}").hexdigest()
    end = f',"previous_hash":"{previous_hash}","record_hash":"{record_hash}"}}'.encode()
    return record_hash if line[-_END_SIZE:] == end and line[:_OPEN_SIZE] == _OPEN else None


def event_bytes(line: bytes) -> bytes:
    """The canonical JSON of the event in a line that verifies."""
    return line[len(_OPEN) : -_LINK_SIZE - _SEAL_SIZE]
