"""Mechanism 14, the four layers: each takes more than the one before, and comes only if that was not enough.

1. `clear_results`: old results of tools become a line that says how long they were.
2. `shorten_texts`: old long texts keep their beginning.
3. `summarise_older`: the older half becomes one summary.
4. `summarise_all`: everything but the newest unit becomes one summary, with less room for each message.

A view is a list of messages, each with its place in the conversation that came in. The layers change views
and nothing else; whether the outcome may be used is decided in `forge.harness.compaction`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from ..context import (
    CompressedContext,
    ContextPacket,
    Summarizer,
    audit_compression,
    compress_context,
    verify_critical_fidelity,
)
from ..context.compression import CUT, LEFT_OUT, one_line
from ..context.packet import critical_fingerprint
from ..errors import FidelityLost
from .durable import SHORTENED, SUMMARY_MARK, DurableContextState, is_summary, protected_in
from .messages import Message, TextBlock, ToolResultBlock, ToolUseBlock, user
from .pairs import unit_ends

RECENT = 2
"""Units at the end that no layer but the last one touches."""

_RESULT, _TEXT = 160, 240  # characters that an old result and an old text keep
_WIDTHS = {3: 160, 4: 60}  # most characters of a message's line in a summary
_NARROWEST = 24
_SUMMARY = 2_000  # characters that older lines of a summary share with the new ones


class View(NamedTuple):
    """Messages with their places, and the places of those that a summary has covered."""

    messages: tuple[tuple[int, Message], ...]
    covered: frozenset[int] = frozenset()

    @property
    def said(self) -> tuple[Message, ...]:
        """The messages alone."""
        return tuple(message for _, message in self.messages)


Layer = Callable[[View, DurableContextState, Summarizer | None], View]


def clear_results(view: View, _state: DurableContextState, _summarize: Summarizer | None) -> View:
    """The view with old long results cleared; each call keeps its result."""
    return _changed(view, lambda block: _cleared(block) if isinstance(block, ToolResultBlock) else block)


def shorten_texts(view: View, _state: DurableContextState, _summarize: Summarizer | None) -> View:
    """The view with the beginnings of old long texts; a message in which something binds stays whole."""
    binding = {place for place, message in view.messages if protected_in([message])}
    return _changed(
        view, lambda block: _shortened(block) if isinstance(block, TextBlock) else block, untouched=binding
    )


def summarise_older(view: View, state: DurableContextState, summarize: Summarizer | None) -> View:
    """The view with a summary in place of the older half of its units."""
    ends = unit_ends(view.said)
    last = min(len(ends) // 2, len(ends) - RECENT)
    return _summarised(view, ends[last - 1] if last > 0 else 0, state, summarize, _WIDTHS[3])


def summarise_all(view: View, state: DurableContextState, summarize: Summarizer | None) -> View:
    """The view with a summary in place of everything but the newest unit."""
    ends = unit_ends(view.said)
    keeps_open = not ends or ends[-1] < len(view.messages)
    last = len(ends) - (0 if keeps_open else 1)
    return _summarised(view, ends[last - 1] if last > 0 else 0, state, summarize, _WIDTHS[4])


LAYERS: dict[str, Layer] = {
    layer.__name__: layer for layer in (clear_results, shorten_texts, summarise_older, summarise_all)
}
"""The four layers in their order."""


Block = TextBlock | ToolUseBlock | ToolResultBlock


def _changed(
    view: View, change: Callable[[Block], Block], *, untouched: Collection[int] = frozenset()
) -> View:
    ends = unit_ends(view.said)
    old = ends[-1 - RECENT] if len(ends) > RECENT else 0
    return view._replace(
        messages=tuple(
            (place, message)
            if at >= old or place in untouched or is_summary(message)
            else (place, _with(message, change))
            for at, (place, message) in enumerate(view.messages)
        )
    )


def _with(message: Message, change: Callable[[Block], Block]) -> Message:
    blocks = tuple(map(change, message.blocks))
    return message if blocks == message.blocks else Message(role=message.role, blocks=blocks)


def _cleared(block: ToolResultBlock) -> ToolResultBlock:
    text = block.content
    if len(text) <= _RESULT:
        return block
    note = f"{text[: _RESULT // 2]}{CUT} [cleared: {len(text)} characters, {SHORTENED}"
    return block.model_copy(update={"content": note})


def _shortened(block: TextBlock) -> TextBlock:
    if len(block.text) <= _TEXT:
        return block
    note = f"{block.text[: _TEXT // 2]}{CUT} [shortened: {len(block.text)} characters, {SHORTENED}"
    return TextBlock(text=note)


def _summarised(
    view: View, end: int, state: DurableContextState, summarize: Summarizer | None, width: int
) -> View:
    old, new = view.messages[:end], view.messages[end:]
    fresh = [item for item in old if not is_summary(item[1])]
    if not fresh:
        return view
    earlier = "\n".join(message.text.partition("\n")[2] for _, message in old if is_summary(message))
    previous = _previous(earlier, state) if earlier else None
    packet = state.packet(tuple(line_of(message) for _, message in fresh))
    compressed = compress_context(
        packet,
        max_summary_chars=max(_SUMMARY, len(fresh) * (_NARROWEST + 1) + len(LEFT_OUT)),
        summarize=summarize or _brief(bool(earlier), width),
        previous=previous,
    )
    verify_critical_fidelity(packet, compressed)
    if summarize is not None:
        _require_sourced(packet, compressed, previous)
    summary = user(f"{SUMMARY_MARK}\n{compressed.message_summary}")
    covered = view.covered | {place for place, _ in old}
    return View(((old[0][0], summary), *new), covered)


def _previous(earlier: str, state: DurableContextState) -> CompressedContext:
    packet = state.packet()
    return CompressedContext(
        instructions=packet.instructions,
        permission_decisions=packet.permission_decisions,
        commitments=packet.commitments,
        message_summary=earlier,
        source_message_count=0,
        critical_fingerprint=critical_fingerprint(packet),
    )


def _require_sourced(
    packet: ContextPacket, compressed: CompressedContext, previous: CompressedContext | None
) -> None:
    if problems := audit_compression(packet, compressed, previous=previous).problems:
        raise FidelityLost(
            f"a summary invented a {problems[0].kind}",
            "it says something that binds, and nobody in the conversation has said it.",
            "Nothing was changed. Ask again, or leave summarize out.",
            field=problems[0].kind,
        )


def _brief(folds: bool, width: int) -> Summarizer:
    """A summariser that gives each message one line, and older lines what room is left."""

    def summarise(texts: tuple[str, ...], limit: int) -> str:
        earlier = texts[0].split("\n") if folds else []
        new = texts[1:] if folds else texts
        room = max(_NARROWEST, min(width, limit * 2 // 3 // len(new)))
        lines = [line if len(line) <= room else line[: room - 1].rstrip() + CUT for line in new]
        left = limit - sum(len(line) + 1 for line in lines) - len(LEFT_OUT) - 1
        kept: list[str] = []
        for line in reversed([line for line in earlier if line != LEFT_OUT]):
            left -= len(line) + 1
            if left < 0:
                return "\n".join([LEFT_OUT, *reversed(kept), *lines])
            kept.append(line)
        head = [LEFT_OUT] if LEFT_OUT in earlier else []
        return "\n".join([*head, *reversed(kept), *lines])

    return summarise


def line_of(message: Message) -> str:
    """A message as one line, with its speaker: a result is the tool's word, whoever brings it."""
    texts = []
    for block in message.blocks:
        match block:
            case TextBlock(text=text):
                texts.append(f"{message.role}: {one_line(text)}")
            case ToolUseBlock(name=name):
                texts.append(f"assistant: [calls {name}]")
            case ToolResultBlock(content=content):
                texts.append(f"tool: {one_line(content)}")
    return " / ".join(texts)
