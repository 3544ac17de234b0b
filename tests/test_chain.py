from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.chain import (
    GENESIS,
    MAX_DEPTH,
    MAX_SAFE_INTEGER,
    FrozenDict,
    FrozenList,
    canonical,
    freeze,
    parse,
    seal,
    thaw,
    unseal,
)
from forge.errors import InvalidValue

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
)
KEYS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner), max_leaves=20)


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@given(VALUES)
def test_what_is_accepted_comes_back_equal_and_of_the_same_types(value: Any) -> None:
    again = parse(canonical(value))
    assert again == value
    assert json.dumps(thaw(again), sort_keys=True) == json.dumps(value, sort_keys=True)


@given(VALUES)
def test_there_is_one_way_to_write_a_value(value: Any) -> None:
    assert canonical(parse(canonical(value))) == canonical(value)


@pytest.mark.parametrize("text", ["a\u2028b", "a\u2029b", "a\x85b", "a\nb", "a\x00b", "日本語", "🙂"])
def test_every_line_separator_and_script_is_kept(text: str) -> None:
    assert parse(canonical({"text": text})) == {"text": text}
    assert b"\n" not in canonical({"text": text})


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({1: "a", "1": "b"}, "payload"),
        ({True: 1}, "payload"),
        ({"a": {"b": [float("nan")]}}, "payload.a.b[0]"),
        ({"a": float("inf")}, "payload.a"),
        ({"a": (1, 2)}, "payload.a"),
        ({"a": {1, 2}}, "payload.a"),
        ({"a": b"bytes"}, "payload.a"),
        ({"a": MAX_SAFE_INTEGER + 1}, "payload.a"),
        ({"a": -MAX_SAFE_INTEGER - 1}, "payload.a"),
        ({"a": "\ud800booby"}, "payload.a"),
        ({"\udfff": 1}, "payload.\\udfff"),
        ({"a": object()}, "payload.a"),
    ],
)
def test_what_json_would_change_is_refused_with_its_path(value: Any, path: str) -> None:
    with pytest.raises(InvalidValue) as caught:
        freeze(value, "payload")
    assert caught.value.evidence["path"] == path
    str(caught.value).encode("utf-8")


def test_nesting_ends_before_any_reader_gives_up() -> None:
    assert canonical(nested(MAX_DEPTH))
    with pytest.raises(InvalidValue, match="at most 64 levels of nesting"):
        canonical(nested(MAX_DEPTH + 1))
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(InvalidValue, match="at most 64 levels"):
        freeze(endless)


@pytest.mark.parametrize(
    "data",
    [
        b'{"write_allowed":false,"write_allowed":true}',
        b"NaN",
        b"[Infinity]",
        b"1e400",
        b"9007199254740992",
        b"9" * 5000,
        b"\xff",
        b'"\\ud800"',
        b"{",
        b"",
        b"[" * 100_000,
        b'{"a":1} {"b":2}',
    ],
    ids=lambda data: repr(data[:24]),
)
def test_json_that_two_readers_could_understand_differently_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidValue):
        parse(data)


def change_dict(value: dict[str, Any]) -> list[Any]:
    return [
        lambda: value.__setitem__("a", 2),
        lambda: value.__delitem__("a"),
        lambda: value.__ior__({"a": 2}),
        lambda: value.clear(),
        lambda: value.pop("a"),
        lambda: value.popitem(),
        lambda: value.setdefault("b", 1),
        lambda: value.update(a=2),
    ]


def change_list(value: list[Any]) -> list[Any]:
    return [
        lambda: value.__setitem__(0, 2),
        lambda: value.__delitem__(0),
        lambda: value.__iadd__([1]),
        lambda: value.__imul__(2),
        lambda: value.append(1),
        lambda: value.extend([1]),
        lambda: value.insert(0, 1),
        lambda: value.remove(1),
        lambda: value.pop(),
        lambda: value.clear(),
        lambda: value.sort(),
        lambda: value.reverse(),
    ]


def test_a_frozen_value_refuses_every_change_at_every_depth() -> None:
    frozen = freeze({"a": 1, "deep": [{"a": 1}], "list": [1]})
    before = canonical(frozen)
    for attempt in [
        *change_dict(frozen),
        *change_dict(frozen["deep"][0]),
        *change_list(frozen["list"]),
        *change_list(frozen["deep"]),
    ]:
        with pytest.raises(TypeError, match="frozen"):
            attempt()
    assert canonical(frozen) == before


@given(VALUES)
def test_a_frozen_value_still_reads_compares_copies_and_pickles_like_a_plain_one(value: Any) -> None:
    frozen = freeze({"value": value})
    assert frozen.get("value") == value
    assert frozen == {"value": value}
    assert copy.deepcopy(frozen) == frozen == pickle.loads(pickle.dumps(frozen))
    assert json.loads(json.dumps(frozen)) == json.loads(json.dumps({"value": value}))
    hash(frozen)


def test_thawing_gives_a_copy_that_may_be_changed() -> None:
    frozen = freeze({"a": [1]})
    plain = thaw(frozen)
    plain["a"].append(2)
    assert (plain, frozen) == ({"a": [1, 2]}, {"a": [1]})
    assert (type(frozen), type(frozen["a"]), type(plain["a"])) == (FrozenDict, FrozenList, list)


@given(VALUES)
def test_the_stored_line_holds_the_bytes_that_were_hashed(value: Any) -> None:
    line, record_hash = seal(value, GENESIS)
    event, previous, recorded, computed = unseal(line)
    assert (event, previous, recorded, computed) == (canonical(value), GENESIS, record_hash, record_hash)
    assert canonical(parse(line)) == line
    preimage = canonical({"event": value, "previous_hash": GENESIS})
    assert record_hash == sha256(preimage).hexdigest()


@pytest.mark.parametrize("line", [b"", b"{}", b"x" * 500, b'{"event":1,"previous_hash":"0"}', b"\x00" * 512])
def test_a_line_of_another_shape_is_refused(line: bytes) -> None:
    with pytest.raises(InvalidValue):
        unseal(line)


def test_fields_have_borders_so_that_shifted_text_has_another_digest() -> None:
    assert seal(["ab", "c"], GENESIS)[1] != seal(["a", "bc"], GENESIS)[1]


def test_two_hash_seeds_write_the_same_bytes() -> None:
    script = (
        "from forge.chain import *; import sys;"
        "sys.stdout.buffer.write(seal({k: [k] for k in {'b', 'a', 'c', 'd', 'é'}}, GENESIS)[0])"
    )
    written = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(written) == 1
