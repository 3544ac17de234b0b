"""How long a text is for a model, near enough to keep a budget by."""

from __future__ import annotations


def count_tokens(text: str) -> int:
    """About how many tokens a text has: one for four ASCII characters, one for each other character.

    Providers split differently, English shorter and Chinese about like this; a budget needs a number that
    does not depend on who is asked. Empty text has none.
    """
    plain = len(text) if text.isascii() else sum(character < "\x80" for character in text)
    return -(-plain // 4) + len(text) - plain
