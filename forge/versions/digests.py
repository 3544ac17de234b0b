"""Canonical JSON and digests as text, which is what a version memory stores."""

from __future__ import annotations

from typing import Any

from .. import chain


def canonical(value: Any) -> str:
    """The one way to write `value` as JSON: sorted keys, no spaces; see `forge.chain.canonical`.

    A state holds mappings of a kind of its own, which are written like any other.
    """
    return chain.canonical(chain.thaw(value)).decode("utf-8")


def sha(text: str) -> str:
    """The SHA-256 digest of a text in UTF-8, as 64 hexadecimal digits."""
    return chain.sha256(text.encode("utf-8"))
