"""A session that is killed at any of its writes pays once, loses no record, and comes to its end."""

import os
import signal

import pytest

from forge.harness.harness import Harness
from forge.harness.messages import assistant
from forge.harness.mock import MockProvider, calls, says
from forge.harness.permissions import Answer, Permissions
from forge.harness.tools import Tool
from forge.harness.transcript import Transcript, transcript_path
from forge.storage import RealDisk, durable_append

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")


def cashier(request, _number):
    """Pays once: again only when it is told that the payment never took effect."""
    paid = [result for message in request.messages for result in message.tool_results]
    if not paid or "before it took effect" in paid[-1].content:
        return calls(f"pay-{len(paid) + 1}", "pay", to="ann")
    return says(f"done: {paid[-1].content}")


def pay_tool(ledger):
    def outcome(key):
        lines = ledger.read_text().splitlines() if ledger.exists() else []
        return next((f"paid {line.split()[1]}" for line in lines if line.split()[0] == key), None)

    def pay(to, key):
        durable_append(ledger, f"{key} {to}\n".encode())
        return f"paid {to}"

    return Tool("pay", "Pay.", pay, {"to": "string"}, writes=True, outcome=outcome)


def go_on(workspace):
    consent = Permissions(ask=lambda _: Answer(allowed=True))
    tools = [pay_tool(workspace / "ledger.txt")]
    with Harness(workspace, "s1", MockProvider(cashier), permissions=consent, extra_tools=tools) as harness:
        if not harness.messages:
            harness.send("pay ann")
        elif harness.messages[-1].role == "user":
            harness.go_on()


def forked(work):
    """The status with which a forked process that does the work ends."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except BaseException:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def killed_at(workspace, write):
    """Go on in a process that is killed right after its write of that number."""

    def work():
        count = 0
        append = RealDisk.append

        def counting(self, path, data):
            nonlocal count
            count += 1
            append(self, path, data)
            if count == write:
                os.kill(os.getpid(), signal.SIGKILL)

        RealDisk.append = counting
        go_on(workspace)

    return forked(work)


@pytest.mark.parametrize("again", [1, 2, 3])
def test_killed_after_each_of_its_writes_and_gone_on_with_it_pays_once(tmp_path, again):
    writes = 0
    for write in range(1, 40):
        workspace = tmp_path / str(write)
        workspace.mkdir()
        status = killed_at(workspace, write)
        if status == 0:
            break
        assert status == -signal.SIGKILL
        writes = write
        killed_at(workspace, again)  # and once more, on the way back
        assert forked(lambda where=workspace: go_on(where)) == 0
        ledger = (workspace / "ledger.txt").read_text().splitlines()
        assert len(ledger) == 1, (write, ledger)
        said = Transcript(transcript_path(workspace, "s1"), "s1").messages()
        assert said[-1] == assistant("done: paid ann"), write
    assert writes >= 6
