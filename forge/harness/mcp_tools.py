"""Mechanism 17, the adapter: a tool of an MCP server becomes a tool of the registry.

What a server says of itself is a claim. Its names, schemas and hints come from outside; whether a call is
asked for is decided here, and "it only reads" counts only from a server that the user trusts
(modelcontextprotocol.io, specification, tools: annotations are untrusted unless their server is trusted).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ..errors import HarnessError, InvalidValue
from ..wording import show
from .tools import Tool

Call = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
"""`tools/call` of a server: given the tool's own name there and the input, the result as plain JSON."""


def adapt_tool(server: str, described: Mapping[str, Any], call: Call, *, trusted: bool = False) -> Tool:
    """The tool that stands for an entry of `tools/list` of the server, and reaches it by `call`."""
    own = name_of(server, described)
    schema = described.get("inputSchema") or {}
    parameters = {field: kind_of(told) for field, told in schema.get("properties", {}).items()}
    hints = described.get("annotations") or {}
    return Tool(
        name=f"{server}__{own}",
        description=described.get("description") or "",
        run=lambda **given: text_of(call(own, given)),
        parameters=parameters,
        optional=frozenset(parameters) - frozenset(schema.get("required", ())),
        writes=not (trusted and hints.get("readOnlyHint") is True),
        deferred=True,
        schema=described.get("inputSchema"),
    )


def name_of(server: str, described: Mapping[str, Any]) -> str:
    """The tool's own name, when both names together make one that a model can call and that can be split."""
    name = described.get("name")
    plain = re.fullmatch(r"[a-z0-9][a-z0-9-]*", server) and re.fullmatch(r"[A-Za-z0-9_-]+", str(name))
    if not plain or not isinstance(name, str) or len(f"{server}__{name}") > 64:
        raise InvalidValue(
            "an MCP tool was refused",
            f"expected a server of small letters, digits and “-” and a tool of letters, digits, “_” and “-”, "
            f"together at most 62 long, found {show(server)} and {show(name)}.",
            path="name",
        )
    return name


def kind_of(told: Any) -> str:
    """The JSON type of a field; `any` where the schema names none or several."""
    kind = told.get("type") if isinstance(told, Mapping) else None
    return kind if isinstance(kind, str) else "any"


def text_of(result: Mapping[str, Any]) -> str:
    """The text of a `tools/call` result, other content named; `HarnessError` when it says that it failed."""
    parts = [
        str(part.get("text", "")) if part.get("type") == "text" else f"[{part.get('type', 'unknown')}]"
        for part in result.get("content", ())
    ]
    text = "\n".join(parts)
    if result.get("isError"):
        raise HarnessError("the server says that the call failed", text or "it gives no reason.")
    return text
