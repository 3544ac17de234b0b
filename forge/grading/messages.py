"""Which messages of a kernel are worth keeping, and whether they are what they should be."""

from __future__ import annotations

from typing import Any

_SHAPES: dict[str, dict[str, type]] = {
    "stream": {"name": str, "text": str},
    "display_data": {"data": dict, "metadata": dict},
    "execute_result": {"data": dict, "metadata": dict, "execution_count": int},
    "error": {"ename": str, "evalue": str, "traceback": list},
    "status": {"execution_state": str},
}


def kept(message: dict[str, Any]) -> bool:
    """Whether a message is an output or the end of a cell, whole, and not for stderr."""
    content = message.get("content")
    shape = _SHAPES.get(str(message.get("msg_type")))
    if shape is None or not isinstance(content, dict):
        return False
    if any(not isinstance(content.get(field), kind) for field, kind in shape.items()):
        return False
    if message["msg_type"] == "status":
        return is_idle(message)
    if message["msg_type"] == "error":
        return all(isinstance(line, str) for line in content["traceback"])
    return content.get("name") != "stderr"


def is_idle(message: dict[str, Any]) -> bool:
    """Whether a message says that a cell has ended."""
    return message.get("msg_type") == "status" and message["content"]["execution_state"] == "idle"


def size_of(message: dict[str, Any]) -> int:
    """About how many bytes of output a message holds."""
    return len(str(message["content"]))
