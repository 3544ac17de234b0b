"""JSON-RPC 2.0, one message a line: what main process, sidecar and sessions speak.

The specification is at jsonrpc.org/specification; parameters are by name, and there are no batches.
"""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ..chain import parse
from ..errors import ForgeError, InvalidValue, PeerLost

PARSE_ERROR, INVALID_REQUEST, NO_METHOD, WRONG_PARAMS, FAILED = -32700, -32600, -32601, -32602, -32000

LINE_LIMIT = 16 << 20
"""Bytes of one message; a longer one ends the connection."""

Methods = Mapping[str, Callable[..., Any]]


def answer(line: bytes, methods: Methods) -> bytes | None:
    """The reply to one line, or None to a notification, which wants none.

    Whatever goes wrong is a reply with the specification's code; an error of a method is -32000, with its
    class in `data`.
    """
    try:
        message = parse(line)
    except InvalidValue as error:
        return _error(None, PARSE_ERROR, "the line is no JSON", str(error))
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return _error(None, INVALID_REQUEST, "no JSON-RPC 2.0 request")
    number, name, params = message.get("id"), message.get("method"), message.get("params", {})
    if not isinstance(name, str) or isinstance(number, (bool, dict, list)) or not isinstance(params, dict):
        return _error(None, INVALID_REQUEST, "no JSON-RPC 2.0 request with named parameters")
    reply = _called(number, name, params, methods)
    return reply if "id" in message else None


def _called(number: Any, name: str, params: dict[str, Any], methods: Methods) -> bytes:
    method = methods.get(name)
    if method is None:
        return _error(number, NO_METHOD, f"no method is called {name!r}", ", ".join(sorted(methods)))
    try:
        return _line({"jsonrpc": "2.0", "id": number, "result": method(**params)})
    except TypeError as error:
        return _error(number, WRONG_PARAMS, "the parameters do not fit", str(error))
    except ForgeError as error:
        return _error(number, FAILED, str(error), type(error).__name__)
    except Exception as error:
        return _error(number, FAILED, f"{type(error).__name__}: {error}", type(error).__name__)


def _error(number: Any, code: int, text: str, data: str | None = None) -> bytes:
    return _line({"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": text, "data": data}})


def _line(message: Any) -> bytes:
    return json.dumps(message, ensure_ascii=True, allow_nan=False).encode() + b"\n"


def notification(method: str, **params: Any) -> bytes:
    """A message that wants no reply."""
    return _line({"jsonrpc": "2.0", "method": method, "params": params})


class Reader(Protocol):
    """What lines are read from."""

    def readline(self, size: int = ..., /) -> bytes:
        """The next line, at most `size` bytes of it; empty at the end."""


class Writer(Protocol):
    """What lines are written to."""

    def write(self, data: bytes, /) -> object:
        """Take bytes."""

    def flush(self) -> object:
        """Send what was taken."""


class Remote:
    """The other side of a pair of streams: `call` a method there and wait for its reply.

    Notifications that come meanwhile are given to `heard`. One call at a time; threads take turns. A stream
    that ends, or says something else, raises `PeerLost`, and so does every call after that.
    """

    def __init__(
        self,
        peer: str,
        reader: Reader,
        writer: Writer,
        heard: Callable[[str, dict[str, Any]], object] = lambda *_: None,
    ) -> None:
        self._peer, self._reader, self._writer, self._heard = peer, reader, writer, heard
        self._numbers = itertools.count(1)
        self._turn = threading.Lock()
        self._lost = ""

    def call(self, method: str, /, **params: Any) -> Any:
        """What the method gives. `HarnessError`s of the other side come as `PeerLost` or `RemoteFailed`."""
        with self._turn:
            if self._lost:
                raise self._gone(self._lost)
            number = next(self._numbers)
            message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            try:
                self._writer.write(_line(message))
                self._writer.flush()
                reply = self._reply(number)
            except (OSError, ValueError) as error:
                self._lost = type(error).__name__
                raise self._gone(self._lost) from error
        if "error" in reply:
            raise RemoteFailed(
                f"the {self._peer} refused", reply["error"]["message"], code=reply["error"]["code"]
            )
        return reply.get("result")

    def _reply(self, number: int) -> dict[str, Any]:
        while line := self._reader.readline(LINE_LIMIT):
            message = parse(line)
            if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
                raise ValueError("another protocol")
            if message.get("id") == number and ("result" in message or "error" in message):
                return message
            if "method" in message and "id" not in message:
                self._heard(message["method"], dict(message.get("params", {})))
        raise OSError("the stream ended")

    def _gone(self, why: str) -> PeerLost:
        return PeerLost(
            f"the {self._peer} is gone",
            why,
            "Start it again; what was on record is still there.",
            peer=self._peer,
        )


class RemoteFailed(PeerLost):
    """The other side is there and could not do what it was asked for. Evidence: code."""
