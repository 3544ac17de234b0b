"""How the two HTTP shapes write a request and a streamed reply; see `providers`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..chain import thaw
from ..errors import ProviderFailed
from .messages import Block, Message, TextBlock, ToolResultBlock, ToolUseBlock
from .streaming import CallStart, End, InputPiece, Piece, Request, TextPiece, Usage

Json = dict[str, Any]


class Shape(NamedTuple):
    """One way to speak with a model over HTTP."""

    name: str
    path: str
    headers: Callable[[str], dict[str, str]]
    body: Callable[[Request, str], Json]
    pieces: Callable[[Iterable[Json]], Iterator[Piece]]


def events_of(lines: Iterable[bytes]) -> Iterator[Json]:
    """The events of a stream of `data:` lines, up to its end or to `[DONE]`."""
    for line in lines:
        text = line.decode("utf-8", "replace").strip()
        if not text.startswith("data:"):
            continue
        data = text[5:].strip()
        if data == "[DONE]":
            return
        try:
            event = json.loads(data)
        except ValueError:
            raise _unreadable(f"found {data[:60]!r}.") from None
        if not isinstance(event, dict):
            raise _unreadable(f"expected an object, found {data[:60]!r}.")
        if event.get("type") == "error" or "error" in event:
            raise ProviderFailed("the provider broke off", str(event.get("error"))[:300], passing=True)
        yield event


def _unreadable(facts: str) -> ProviderFailed:
    return ProviderFailed("a stream cannot be read", facts, "Check FORGE_PROVIDER and FORGE_BASE_URL.")


def _anthropic_headers(key: str) -> dict[str, str]:
    return {"x-api-key": key, "anthropic-version": "2023-06-01"}


def _anthropic_body(request: Request, model: str) -> Json:
    body: Json = {
        "model": model,
        "max_tokens": request.max_tokens,
        "stream": True,
        "messages": [
            {"role": message.role, "content": [_anthropic_block(block) for block in message.blocks]}
            for message in request.messages
        ],
    }
    if request.system:
        body["system"] = request.system
    if request.tools:
        body["tools"] = [dict(tool) for tool in request.tools]
    return body


def _anthropic_block(block: Block) -> Json:
    return {**dict(block), "input": thaw(block.input)} if isinstance(block, ToolUseBlock) else dict(block)


def _anthropic_pieces(events: Iterable[Json]) -> Iterator[Piece]:
    sent = written = 0
    reason = ""
    for event in events:
        match event:
            case {"type": "message_start", "message": {"usage": {"input_tokens": int(tokens)}}}:
                sent = tokens
            case {"type": "content_block_start", "content_block": {"id": str(key), "name": str(name)}}:
                yield CallStart(key, name)
            case {"type": "content_block_delta", "delta": {"text": str(text)}}:
                yield TextPiece(text)
            case {
                "type": "content_block_delta",
                "delta": {"type": "input_json_delta", "partial_json": str(part)},
            }:
                yield InputPiece(part)
            case {"type": "message_delta", "delta": {"stop_reason": given}}:
                reason = str(given or "")
                written = (event.get("usage") or {}).get("output_tokens", written)
            case {"type": "message_stop"}:
                yield End(reason, Usage(sent, written))
                return


def _openai_headers(key: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key}"}


def _openai_body(request: Request, model: str) -> Json:
    messages: list[Json] = [{"role": "system", "content": request.system}] if request.system else []
    for message in request.messages:
        messages += _openai_messages(message)
    body: Json = {
        "model": model,
        "max_tokens": request.max_tokens,
        "stream": True,
        "stream_options": {"include_usage": True},
        "messages": messages,
    }
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {
                    "name": tool["name"],
                    "description": tool["description"],
                    "parameters": tool["input_schema"],
                },
            }
            for tool in request.tools
        ]
    return body


def _openai_messages(message: Message) -> list[Json]:
    told = [
        {"role": "tool", "tool_call_id": block.tool_use_id, "content": block.content}
        for block in message.blocks
        if isinstance(block, ToolResultBlock)
    ]
    called = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": json.dumps(thaw(call.input))},
        }
        for call in message.tool_uses
    ]
    said: Json = {"role": message.role, "content": message.text or None}
    if called:
        said["tool_calls"] = called
    has_text = any(isinstance(block, TextBlock) for block in message.blocks)
    return [*told, said] if has_text or called else told


def _openai_pieces(events: Iterable[Json]) -> Iterator[Piece]:
    usage, reason, begun = Usage(), None, -1
    for event in events:
        if given := event.get("usage"):
            usage = Usage(given.get("prompt_tokens", 0), given.get("completion_tokens", 0))
        for choice in event.get("choices") or ():
            delta: Mapping[str, Any] = choice.get("delta") or {}
            if text := delta.get("content"):
                yield TextPiece(text)
            for call in delta.get("tool_calls") or ():
                function = call.get("function") or {}
                if call.get("index", 0) > begun:
                    begun = call.get("index", 0)
                    yield CallStart(call.get("id") or "", function.get("name") or "")
                if part := function.get("arguments"):
                    yield InputPiece(part)
            reason = choice.get("finish_reason") or reason
    if reason is not None:  # a stream that was cut has none
        yield End(reason, usage)


SHAPES = {
    "anthropic": Shape("anthropic", "/messages", _anthropic_headers, _anthropic_body, _anthropic_pieces),
    "openai": Shape("openai", "/chat/completions", _openai_headers, _openai_body, _openai_pieces),
}
"""The two shapes by the name that `FORGE_PROVIDER` gives them."""
