"""Mechanism 17: connectors. Tools of other programs, over the Model Context Protocol.

A server is a child process; the protocol's official package speaks to it over its standard input and output.
`tools/list` says which tools it has, `tools/call` calls one. In a session they are deferred tools under names
of their own, `server__tool`.

A server says of itself which of its tools only read; that is its word, and nobody checked it. So every tool
of a server is taken for one that writes, and asks, unless whoever connects it names it in `reads`, or trusts
the server. `mcp_tools` makes a tool of ours from what is said of one.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ..database import Closing
from ..errors import PeerLost
from .loop_thread import LoopThread
from .mcp_tools import adapt_tool, text_of
from .tools import Tool

DEMO_SERVER = (sys.executable, "-m", "forge.harness.mcp_server")
"""The command of the server that comes with forge."""

MARK = "__"
"""What stands between the name of a connector and that of its tool."""

_SECONDS = 60.0


class Connector(Closing):
    """A connection to one MCP server, started by `command`. `name` stands before the names of its tools."""

    def __init__(
        self,
        name: str,
        command: Sequence[str] = DEMO_SERVER,
        *,
        seconds: float = _SECONDS,
        cwd: str | None = None,
    ) -> None:
        self.name = name
        self._seconds = seconds
        self._thread = LoopThread()
        self._client: Any = None
        self._stop: asyncio.Event | None = None
        self._task: asyncio.Task[None] | None = None
        try:
            self._thread.run(self._connect(list(command), cwd), seconds)
        except Exception as error:
            self.close()
            raise _lost(name, "did not start", error) from error

    def list_tools(self) -> list[dict[str, Any]]:
        """What `tools/list` says of each tool, from every page, as the protocol writes it."""
        found: list[dict[str, Any]] = self._asked(self._list())
        return found

    def request(self, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """What `tools/call` gives, as the protocol writes it."""
        found: dict[str, Any] = self._asked(self._call(tool, dict(given)))
        return found

    def call(self, tool: str, given: Mapping[str, Any]) -> str:
        """What `tools/call` gives, as text; `HarnessError` when the server says that it failed."""
        return text_of(self.request(tool, given))

    def tools(
        self, *, reads: Collection[str] = (), trusted: bool = False, deferred: bool = True
    ) -> list[Tool]:
        """The server's tools for a registry.

        `reads` names those that are known to change nothing. With `trusted` the server's own word counts.
        """
        found = []
        for told in self.list_tools():
            tool = adapt_tool(self.name, told, self.request, trusted=trusted)
            found.append(replace(tool, writes=tool.writes and told["name"] not in reads, deferred=deferred))
        return found

    def close(self) -> None:
        """End the server; again is no error."""
        if self._task is not None and self._stop is not None:
            task, self._task = self._task, None
            with suppress(Exception):  # a server that is gone cannot be ended
                self._thread.run(self._disconnect(task, self._stop), 10)
        self._thread.close()

    def _asked(self, coroutine: Any) -> Any:
        try:
            return self._thread.run(coroutine, self._seconds)
        except PeerLost:
            raise
        except Exception as error:
            raise _lost(self.name, "did not answer", error) from error

    async def _connect(self, command: list[str], cwd: str | None) -> None:
        # Entered and left by one task, as the package's task groups want it.
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._stop = asyncio.Event()
        self._task = asyncio.create_task(self._hold(command, cwd, ready, self._stop))
        await ready

    async def _hold(
        self, command: list[str], cwd: str | None, ready: asyncio.Future[None], stop: asyncio.Event
    ) -> None:
        from mcp import Client, StdioServerParameters  # half a second, and only for those who connect
        from mcp.client.stdio import stdio_client

        server = StdioServerParameters(command=command[0], args=command[1:], cwd=cwd)
        try:
            # A notebook or a test may stand in for stderr without being a file, which a child must have.
            async with Client(stdio_client(server, errlog=sys.__stderr__ or sys.stderr)) as client:
                self._client = client
                ready.set_result(None)
                await stop.wait()
        except Exception as error:
            if not ready.done():
                ready.set_exception(error)

    @staticmethod
    async def _disconnect(task: asyncio.Task[None], stop: asyncio.Event) -> None:
        stop.set()
        await task

    async def _list(self) -> list[dict[str, Any]]:
        found, cursor = [], None
        for _ in range(100):  # a server whose pages never end is not to hold us for ever
            page = await self._client.list_tools(cursor=cursor)
            found += [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in page.tools]
            cursor = page.next_cursor
            if cursor is None:
                break
        return found

    async def _call(self, tool: str, given: dict[str, Any]) -> dict[str, Any]:
        result = await self._client.call_tool(tool, given)
        wire: dict[str, Any] = result.model_dump(mode="json", by_alias=True, exclude_none=True)
        return wire


def _lost(name: str, what: str, error: Exception) -> PeerLost:
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    facts = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
    return PeerLost(f"the server {name} {what}", facts, "Check its command, then connect again.", peer=name)
