"""Compressing a context: the messages become one summary, everything else is carried over as it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..errors import FidelityLost, InvalidValue, SummaryRefused
from ..wording import show
from .packet import PROTECTED, CompressedContext, ContextPacket, critical_fingerprint

Summarizer = Callable[[tuple[str, ...], int], str]
"""Takes the texts, oldest first, and the most code points a summary may have; gives the summary."""

SMALLEST_LIMIT = 80
LEFT_OUT = "[older messages left out]"
CUT = "…"


def compress_context(
    packet: ContextPacket,
    *,
    max_summary_chars: int = 400,
    summarize: Summarizer | None = None,
    previous: CompressedContext | None = None,
) -> CompressedContext:
    """The packet with one summary, of at most `max_summary_chars` code points, in place of its messages.

    The summary quotes the messages, one a line and each text once. When they do not all fit it keeps the
    newest, says so in its first line, and `covered_message_count` says how many. A given `summarize` writes
    it instead, and answers for all the messages. `previous` is what an earlier compression left: its summary
    is folded in, and what it protected must stand in the packet. With nothing to say the summary is "".

    Raises `FidelityLost` when the packet lacks what `previous` protected, `SummaryRefused` when `summarize`
    fails or its text cannot be used. The packet is as it was, whatever is raised.
    """
    require_room(max_summary_chars)
    if previous is not None:
        require_still_protected(previous, packet)
    earlier = previous.message_summary if previous is not None else ""
    if summarize is None:
        summary, covered = quote_newest(earlier, packet.messages, max_summary_chars)
    else:
        texts = (earlier, *packet.messages) if earlier else packet.messages
        summary, covered = ask(summarize, texts, max_summary_chars), len(packet.messages)
    return CompressedContext(
        instructions=packet.instructions,
        permission_decisions=packet.permission_decisions,
        commitments=packet.commitments,
        message_summary=summary,
        source_message_count=len(packet.messages),
        critical_fingerprint=critical_fingerprint(packet),
        covered_message_count=covered,
    )


def require_room(max_summary_chars: int) -> None:
    """Return when a summary of that length can be of use; else raise `InvalidValue`."""
    if type(max_summary_chars) is not int or max_summary_chars < SMALLEST_LIMIT:
        raise InvalidValue(
            "max_summary_chars must leave enough room for a useful summary",
            f"expected a whole number of at least {SMALLEST_LIMIT}, found {show(max_summary_chars)}.",
            path="max_summary_chars",
            expected=SMALLEST_LIMIT,
            found=max_summary_chars,
        )


def require_still_protected(previous: CompressedContext, packet: ContextPacket) -> None:
    """Return when everything that `previous` protected stands in the packet; else raise `FidelityLost`."""
    for field in PROTECTED:
        there = set(getattr(packet, field))
        for index, text in enumerate(getattr(previous, field)):
            if text not in there:
                raise FidelityLost(
                    f"compression changed {field.replace('_', ' ')}",
                    f"{show(text)} was protected by the previous compression and is not in the packet.",
                    "Carry it over word for word.",
                    field=field,
                    index=index,
                    expected=text,
                    found=None,
                )


def ask(summarize: Summarizer, texts: tuple[str, ...], limit: int) -> str:
    """The summary that `summarize` gives, if it can stand for the texts; else `SummaryRefused`."""
    replaced = "\n".join(texts)
    if not replaced.strip():
        return ""
    again = "Nothing was compressed. Ask again, or leave summarize out."
    try:
        summary = summarize(texts, limit)
    except Exception as error:
        raise SummaryRefused("the summariser failed", f"{type(error).__name__}: {error}.", again) from error
    if not isinstance(summary, str) or not summary.strip():
        raise SummaryRefused("the summary is blank", f"the summariser gave {show(summary)}.", again)
    length = len(summary)
    if length > limit:
        raise SummaryRefused(
            "the summary is too long",
            f"it has {length} code points, at most {limit} were asked for.",
            again,
            length=length,
            limit=limit,
        )
    if length >= len(replaced):
        raise SummaryRefused(
            "the summary made nothing smaller",
            f"it has {length} code points, what it replaces has {len(replaced)}.",
            again,
            length=length,
            limit=len(replaced) - 1,
        )
    return summary


def quote_newest(earlier: str, messages: tuple[str, ...], limit: int) -> tuple[str, int]:
    """A summary that quotes an earlier summary and the newest messages, and how many messages it covers.

    An earlier summary that does not fit beside the messages keeps up to a third of the room.
    """
    said = distinct(earlier.split("\n"))
    old = said[1:] if said[:1] == [LEFT_OUT] else said
    whole = "\n".join(distinct([*old, *messages]))
    if old is said and len(whole) <= limit:
        return whole, len(messages)
    room = limit - len(LEFT_OUT)  # a line takes its own length, and one for the newline before it
    share = min(sum(len(line) + 1 for line in old), room // 3)
    seen: set[str] = set()
    new, covered = newest(messages, room - share, seen)
    kept, _ = newest(old, room - sum(len(line) + 1 for line in new), seen)
    return "\n".join([LEFT_OUT, *kept, *new]), covered


def newest(texts: Sequence[str], room: int, seen: set[str]) -> tuple[list[str], int]:
    """The newest texts that fit into the room, oldest first, and how many of `texts` are covered by them.

    Each becomes one line, unless it is blank or `seen`. Of a text longer than the room the beginning is kept,
    when it is the newest; it does not count as covered.
    """
    lines: list[str] = []
    for covered, text in enumerate(reversed(texts)):
        line = one_line(text)
        if not line or line in seen:
            continue
        if len(line) >= room:
            if not lines:
                lines = [line[: max(room - 2, 0)].rstrip() + CUT]
            return lines[::-1], covered
        seen.add(line)
        lines.append(line)
        room -= len(line) + 1
    return lines[::-1], len(texts)


def distinct(texts: Sequence[str]) -> list[str]:
    """Each text once, as one line, where it stands last."""
    return list(dict.fromkeys(line for text in reversed(texts) if (line := one_line(text))))[::-1]


def one_line(text: str) -> str:
    """The text with each run of white space as one space."""
    return " ".join(text.split())
