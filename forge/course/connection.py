"""The connection between a notebook and its kernel, without a wait in every answer.

A kernel answers in several small messages. The operating system holds the second back until the browser has
acknowledged the first (Nagle's algorithm, RFC 896), which browsers put off for 40 ms. Told not to, it sends
each at once.
"""

from __future__ import annotations

import asyncio

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection


class PromptConnection(ZMQChannelsWebsocketConnection):
    """Jupyter's own connection, with every message sent as soon as it is there."""

    def connect(self) -> asyncio.Future[None] | None:  # type: ignore[override]  # as in the class above it
        """Connect the browser to the kernel."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()
