from __future__ import annotations

import pytest
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from jupyter_server.services.kernels.kernelmanager import ServerKernelManager
from jupyter_server.services.kernels.websocket import KernelWebsocketHandler

from forge.course.connection import PromptConnection
from forge.course.lab import CONNECTION


class Handler(KernelWebsocketHandler):
    def __init__(self) -> None:
        self.told: list[object] = []

    def set_nodelay(self, value: bool) -> None:
        self.told.append(value)


def test_lab_sends_each_answer_of_a_kernel_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    handler = Handler()
    monkeypatch.setattr(ZMQChannelsWebsocketConnection, "connect", lambda _: handler.told.append("connected"))
    PromptConnection(parent=ServerKernelManager(), websocket_handler=handler).connect()
    assert handler.told == [True, "connected"]
    assert CONNECTION.endswith(f"{PromptConnection.__module__}.{PromptConnection.__name__}")
