"""Mechanism 2: the tools, and how a call finds its tool. Adding a tool does not change the loop."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import ForgeError, InvalidValue
from ..wording import show
from .messages import ToolResultBlock, ToolUseBlock

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. `run` gets the input by keyword and gives text.

    `parameters` maps each field of the input to its JSON type; those of `optional` may be missing. A tool
    that `writes` changes something outside the conversation. `subject` names the field that says what is
    touched, a path or a command: permissions are granted for patterns of it. A `deferred` tool is not shown
    to the model until it is searched for. A tool with an `outcome` gets the id of the call as `key` besides
    its input, and remembers it with what it did: `outcome(key)` is asked, after a crash between call and
    record, what the call came to. It gives the result, or None when the call never took effect. `schema` is
    what a model is told of the input instead, when another program has described it.
    """

    name: str
    description: str
    run: Callable[..., str]
    parameters: Mapping[str, str] = field(default_factory=dict)
    optional: frozenset[str] = frozenset()
    writes: bool = False
    subject: str | None = None
    deferred: bool = False
    outcome: Callable[[str], str | None] | None = None
    schema: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if self.subject is not None and self.subject not in self.parameters:
            known = ", ".join(self.parameters) or "none"
            raise _wrong(self.name, "subject", f"one of the fields {known}", show(self.subject))

    def describe(self) -> dict[str, Any]:
        """What a model is told of the tool."""
        schema = self.schema or {
            "type": "object",
            "properties": {name: {"type": kind} for name, kind in self.parameters.items()},
            "required": [name for name in self.parameters if name not in self.optional],
            "additionalProperties": False,
        }
        return {"name": self.name, "description": self.description, "input_schema": schema}

    def check(self, given: Mapping[str, Any]) -> None:
        """Refuse an input with a field missing, unknown or of another type."""
        for name in given:
            if name not in self.parameters:
                known = ", ".join(self.parameters) or "none"
                raise _wrong(self.name, name, f"one of the fields {known}", "another field")
        for name, kind in self.parameters.items():
            if name not in given:
                if name in self.optional:
                    continue
                raise _wrong(self.name, name, f"a field of type {kind}", "nothing")
            value = given[name]
            boolean = isinstance(value, bool) and kind != "boolean"
            if (boolean and str(kind) in _TYPES) or not isinstance(value, _TYPES.get(str(kind), (object,))):
                raise _wrong(self.name, name, f"a field of type {kind}", show(value))


def _wrong(tool: str, field_name: str, expected: str, found: str) -> InvalidValue:
    path = f"{tool}.{field_name}"
    facts = f"expected {expected}, found {found}."
    return InvalidValue(f"{path} was refused", facts, path=path, expected=expected, found=found)


class ToolRegistry:
    """The tools by name. There is one way to call one: `dispatch`."""

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            self.add(tool)

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def get(self, name: str) -> Tool | None:
        """The tool of that name, if there is one."""
        return self._tools.get(name)

    def add(self, tool: Tool) -> None:
        """Add a tool. A name that is taken is refused: two tools of one name would leave a call ambiguous."""
        if tool.name in self._tools:
            raise InvalidValue(
                "a tool is named once",
                f"{show(tool.name)} is in the registry already.",
                "Give it another name.",
            )
        self._tools[tool.name] = tool

    def describe(self, *, deferred: bool = False) -> list[dict[str, Any]]:
        """What a model is told: the tools that are not deferred, and with `deferred` the others as well."""
        return [tool.describe() for tool in self if deferred or not tool.deferred]

    def dispatch(self, call: ToolUseBlock) -> ToolResultBlock:
        """The result of the call. A mistake is a result that says so: the model reads it and goes on."""
        tool = self.get(call.name)
        if tool is None:
            known = ", ".join(self._tools) or "none"
            return failed(call, f"no tool is called {show(call.name)}. There are: {known}.")
        try:
            tool.check(call.input)
            key = {"key": call.id} if tool.outcome else {}
            return ToolResultBlock(tool_use_id=call.id, content=tool.run(**call.input, **key))
        except ForgeError as error:
            return failed(call, f"{type(error).__name__}: {error}")
        except Exception as error:  # whatever a tool raises is its result; the loop is not to end by it
            return failed(call, f"{type(error).__name__}: {' '.join(str(error).split())[:400]}")


def failed(call: ToolUseBlock, text: str) -> ToolResultBlock:
    """The result of a call that gave none, and why."""
    safe = text.encode("utf-8", "backslashreplace").decode()
    return ToolResultBlock(tool_use_id=call.id, content=safe, is_error=True)
