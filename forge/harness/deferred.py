"""Mechanism 3: deferred tools. A model is told of a few tools; it searches for the others, then executes.

Two tools stand for all the deferred ones: `search_tools` and `execute_tool`. A tool that was not found by a
search cannot be executed, so a model never calls what it has not read the description of. What is executed is
the tool itself: `unwrap` gives the inner call, under its own name, before anybody asks for a permission.
"""

from __future__ import annotations

import json
import re

from ..errors import InvalidValue
from .messages import ToolResultBlock, ToolUseBlock
from .tools import Tool, ToolRegistry, failed

SEARCH, EXECUTE = "search_tools", "execute_tool"


class DeferredTools:
    """The deferred tools of a registry, and which of them a search has found in this session."""

    def __init__(self, registry: ToolRegistry, *, limit: int = 5) -> None:
        self._registry = registry
        self._limit = limit
        self.found: set[str] = set()
        text = {"query": "string"}
        registry.add(Tool(SEARCH, "Find tools that are not listed, by words.", self.search, text))
        inner = {"name": "string", "input": "object"}
        registry.add(Tool(EXECUTE, "Execute a tool that search_tools has found.", _never, inner))

    def search(self, query: str) -> str:
        """The descriptions of the deferred tools that fit the words best, as JSON, at most `limit`."""
        words = set(re.findall(r"\w+", query.lower()))
        if not words:
            raise InvalidValue("query was refused", "expected words to look for, found none.")
        scored = [(score(tool, words), tool) for tool in self._registry if tool.deferred]
        best = [tool for points, tool in sorted(scored, key=lambda item: (-item[0], item[1].name)) if points]
        chosen = best[: self._limit]
        self.found |= {tool.name for tool in chosen}
        return json.dumps([tool.describe() for tool in chosen], ensure_ascii=False)

    def unwrap(self, call: ToolUseBlock) -> ToolUseBlock | ToolResultBlock:
        """The call of the tool itself, with the id of the outer call; or the result that says why not."""
        tool = self._registry.get(call.name)
        if call.name == EXECUTE:
            name, given = call.input.get("name"), call.input.get("input", {})
            tool = self._registry.get(name) if isinstance(name, str) else None
            if tool is None or not tool.deferred or not isinstance(given, dict):
                return failed(
                    call, f"{EXECUTE} needs the name of a deferred tool and its input: search first."
                )
            call = ToolUseBlock(id=call.id, name=tool.name, input=given)
        if tool is not None and tool.deferred and tool.name not in self.found:
            return failed(
                call, f"{tool.name} was not searched for. Call {SEARCH}, read its description, go on."
            )
        return call


def score(tool: Tool, words: set[str]) -> int:
    """How well a tool fits: three points for a word of its name, one for a word of its description."""
    name = set(re.findall(r"[^\W_]+", tool.name.lower()))
    told = set(re.findall(r"\w+", tool.description.lower()))
    return 3 * len(words & name) + len(words & told)


def _never(**_given: object) -> str:
    raise InvalidValue("a deferred tool was executed without its permission", "the call was not unwrapped.")
