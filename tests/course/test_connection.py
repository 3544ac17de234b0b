from __future__ import annotations

from pathlib import Path

import pytest
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from jupyter_server.services.kernels.kernelmanager import ServerKernelManager
from jupyter_server.services.kernels.websocket import KernelWebsocketHandler

from forge.course.connection import PromptConnection
from forge.course.lab import CONNECTION, lab_command


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


@pytest.mark.parametrize("setting", ["ServerApp.kernel_websocket_connection_class", "LabApp.default_url"])
def test_a_setting_given_to_forge_lab_takes_the_place_of_the_course_s_own(
    tmp_path: Path, setting: str
) -> None:
    assert sum(setting in word for word in lab_command(tmp_path, [])) == 1
    given = lab_command(tmp_path, ["--no-browser", f"--{setting}=other"])
    assert [word for word in given if setting in word] == [f"--{setting}=other"]
    assert f"--ServerApp.root_dir={tmp_path}" in given
