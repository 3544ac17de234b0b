"""A server of the Model Context Protocol, for the course: a small lending library.

python -m forge.harness.mcp_server      spoken to over standard input and output
"""

from __future__ import annotations

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

BOOKS = {
    "The Quiet Harbour": 2,
    "Nine Bridges": 0,
    "秋天的来信": 1,
}
"""The titles and how many copies are in."""


def find_book(title: str) -> str:
    """How many copies of a book are in, by a part of its title."""
    found = [f"{name}: {copies} in" for name, copies in BOOKS.items() if title.lower() in name.lower()]
    return "\n".join(found) or "no such book"


def reserve_book(title: str, reader: str) -> str:
    """Reserve one copy of a book for a reader."""
    if BOOKS.get(title, 0) < 1:
        raise ToolError(f"no copy of {title} is in")
    BOOKS[title] -= 1
    return f"{title} is reserved for {reader}"


def server() -> MCPServer:
    """The server with its two tools."""
    made = MCPServer("library", log_level="ERROR")
    made.add_tool(find_book)
    made.add_tool(reserve_book)
    return made


if __name__ == "__main__":
    server().run("stdio")
