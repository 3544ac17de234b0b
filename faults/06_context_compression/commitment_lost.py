from forge.context import CompressedContext, critical_fingerprint
from forge.context.compression import (
    ask,
    quote_newest,
    require_room,
    require_still_protected,
)


def compress_context(packet, *, max_summary_chars=400, summarize=None, previous=None):
    """The packet with one summary in place of its messages."""
    require_room(max_summary_chars)
    if previous is not None:
        require_still_protected(previous, packet)
    earlier = previous.message_summary if previous is not None else ""
    if summarize is None:
        summary, covered = quote_newest(earlier, packet.messages, max_summary_chars)
    else:
        texts = (earlier, *packet.messages) if earlier else packet.messages
        summary = ask(summarize, texts, max_summary_chars)
        covered = len(packet.messages)
    return CompressedContext(
        instructions=packet.instructions,
        permission_decisions=packet.permission_decisions,
        commitments=(),
        message_summary=summary,
        source_message_count=len(packet.messages),
        critical_fingerprint=critical_fingerprint(packet),
        covered_message_count=covered,
    )
