"""Mechanism 14: compaction. What a model is shown becomes shorter; what binds and what proves does not.

The layers propose, and this module decides. A proposal is committed only if every call still has its result,
everything protected is there word for word, the evidence is the same, exactly what was removed was also
covered by a summary, and the whole has become smaller. Otherwise the conversation is as it was.

If after all four layers the view is still at its limit, nobody is asked: `MessageViewLimitExceeded` comes
before any call of a provider, and says how long the view is and never what stands in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..chain import canonical
from ..context import Summarizer
from ..errors import CompactionRefused, ForgeModel, MessageViewLimitExceeded, SummaryRefused
from .durable import EMPTY, DurableContextState, is_summary, protected_in, require_traced
from .layers import LAYERS, View
from .messages import Message
from .observe import Observer
from .pairs import unit_starts, waiting_calls
from .tokens import count_tokens

TARGET = 0.6
"""Down to which part of the limit the layers go on."""


class CompactionResult(ForgeModel):
    """A conversation after compaction. Tokens are those of the messages with the durable state."""

    messages: tuple[Message, ...]
    durable_state: DurableContextState
    applied_layers: tuple[str, ...]
    tokens_before: int
    tokens_after: int


def message_tokens(message: Message) -> int:
    """About how many tokens a message has."""
    return count_tokens(canonical(message.to_json()).decode())


def view_tokens(messages: Sequence[Message], state: DurableContextState) -> int:
    """About how many tokens a model is sent: the messages, and the state that goes with them."""
    return sum(map(message_tokens, messages)) + count_tokens(canonical(state.to_json()).decode())


def compact_context(
    messages: Sequence[Message],
    durable_state: DurableContextState = EMPTY,
    *,
    limit: int,
    target: int | None = None,
    summarize: Summarizer | None = None,
    history: Sequence[Message] | None = None,
    force: bool = False,
) -> CompactionResult:
    """The conversation in at most about `target` tokens, by default 0.6 of the `limit` it must stay below.

    A conversation that is short enough comes back as it is; with `force` it is compacted all the same, and
    `CompactionRefused` says that nothing became smaller. `summarize` writes the summaries; a text of its that
    is blank, too long or claims what nobody said raises `SummaryRefused` or `FidelityLost`. With `history`,
    all that was ever said, every permission is traced to a message of the user's.
    """
    messages = tuple(messages)
    unit_starts(messages)
    target = int(limit * TARGET) if target is None else target
    before = view_tokens(messages, durable_state)
    if before <= target and before < limit and not force:
        return _result(messages, durable_state, (), before, before)
    view, applied = _layered(messages, durable_state, target, summarize)
    state = durable_state.protecting(protected_in([messages[place] for place in sorted(view.covered)]))
    after = view_tokens(view.said, state)
    if min(before, after) >= limit:
        raise _too_long(before, after, limit, applied)
    if after >= before and not force:
        return _result(messages, durable_state, (), before, before)
    require_sound(messages, durable_state, view, state)
    require_smaller(before, after)
    if history is not None:
        require_traced(state, [*history, *messages])
    return _result(view.said, state, applied, before, after)


def compact_audited(
    observer: Observer,
    messages: Sequence[Message],
    durable_state: DurableContextState = EMPTY,
    *,
    limit: int,
    summarize: Summarizer | None = None,
    history: Sequence[Message] | None = None,
    force: bool = False,
) -> CompactionResult:
    """What `compact_context` does, on record: tokens before and after, limit and layers, and no text."""
    with observer.operation("compaction") as watch:
        watch.facts = {"limit": limit}
        try:
            result = compact_context(
                messages, durable_state, limit=limit, summarize=summarize, history=history, force=force
            )
        except MessageViewLimitExceeded as error:
            watch.facts |= {name: error.evidence[name] for name in ("tokens_before", "tokens_after")}
            watch.facts["applied_layers"] = list(error.evidence["applied_layers"])
            raise
        watch.facts |= {"tokens_before": result.tokens_before, "tokens_after": result.tokens_after}
        watch.facts["applied_layers"] = list(result.applied_layers)
    return result


def require_sound(
    messages: Sequence[Message], before: DurableContextState, view: View, after: DurableContextState
) -> None:
    """Return when a proposal lost nothing that it must not lose; else raise `CompactionRefused`."""
    # A new summary has the place of the first message it stands for.
    stays = {place for place, said in view.messages if not (is_summary(said) and place in view.covered)}
    removed = set(range(len(messages))) - stays
    if removed != set(view.covered):
        raise _refused("what was removed is not what was covered", removed ^ set(view.covered))
    unit_starts(view.said)
    if waiting_calls(view.said) != waiting_calls(messages):
        raise _refused("a call and its result are separated", ())
    if after.evidence != before.evidence:
        raise _refused("a compaction changed the evidence", ())
    kept = [*after.protected, *protected_in(view.said)]
    if kept != [*before.protected, *protected_in(messages)]:
        raise _refused("a compaction changed what is protected", ())


def require_smaller(before: int, after: int) -> None:
    """Return when the whole has become smaller; else raise `CompactionRefused`."""
    if after >= before:
        raise CompactionRefused(
            "the compaction made nothing smaller",
            f"{before} tokens before, {after} after.",
            "The conversation is as it was.",
            tokens_before=before,
            tokens_after=after,
        )


def _layered(
    messages: tuple[Message, ...], state: DurableContextState, target: int, summarize: Summarizer | None
) -> tuple[View, tuple[str, ...]]:
    """The view after as many layers as it takes, and the names of those that made it smaller."""
    view = View(tuple(enumerate(messages)))
    whole = state.protecting(protected_in(messages))
    applied: list[str] = []
    size = _size(view)
    for name, layer in LAYERS.items():
        try:
            proposed = layer(view, whole, summarize)
        except SummaryRefused:
            if summarize is not None:
                raise
            continue  # what is left is shorter than any summary of it
        if _size(proposed) < size:
            view, size = proposed, _size(proposed)
            applied.append(name)
        captured = state.protecting(protected_in([messages[place] for place in sorted(view.covered)]))
        if view_tokens(view.said, captured) <= target:
            break
    return view, tuple(applied)


def _size(view: View) -> int:
    return sum(map(message_tokens, view.said))


def _result(
    messages: tuple[Message, ...],
    state: DurableContextState,
    layers: tuple[str, ...],
    before: int,
    after: int,
) -> CompactionResult:
    return CompactionResult(
        messages=messages,
        durable_state=state,
        applied_layers=layers,
        tokens_before=before,
        tokens_after=after,
    )


def _refused(words: str, places: Iterable[int]) -> CompactionRefused:
    numbers = [place + 1 for place in sorted(places)]
    facts = f"messages {', '.join(map(str, numbers))}." if numbers else "before and after differ."
    hint = "The conversation is as it was. Compact it without the layer that did this."
    return CompactionRefused(words, facts, hint, places=numbers)


def _too_long(before: int, after: int, limit: int, applied: tuple[str, ...]) -> MessageViewLimitExceeded:
    return MessageViewLimitExceeded(
        "the message view is too long",
        f"{before} tokens before and {after} after {len(applied)} layers, it must stay below {limit}.",
        "No model was asked. Raise the limit, put large outputs aside, or begin a new session.",
        tokens_before=before,
        tokens_after=after,
        limit=limit,
        applied_layers=applied,
    )
