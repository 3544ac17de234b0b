"""The tasks of the board that are about processes. They start real ones, and kill some of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from ...errors import PeerLost
from ..main_process import MainProcess
from ..sessions import Sessions
from .runs import Off, Outcome, count

_TOGETHER = """
import os, sys
from forge.harness.harness import Harness
from forge.harness.mock import MockProvider, echo
monday, tuesday = (Harness(sys.argv[1], day, MockProvider(echo)) for day in ("monday", "tuesday"))
if sys.argv[2] == "killed":
    os.kill(os.getpid(), 9)
print(tuesday.send("Are you there?").text)
"""
"""Two sessions in one process, which dies when the first of them is killed."""


def main_process(folder: Path, off: Off) -> Outcome:
    """Lose the sidecar, and ask again."""
    main = MainProcess(folder)
    try:
        os.kill(main.sidecar_pid, signal.SIGKILL)
        try:
            main.call("ping")
        except PeerLost:
            if "main_process" not in off:
                main.restart()
        try:
            answer = str(main.call("ping"))
        except PeerLost:
            answer = "no answer, and nobody starts another"
    finally:
        main.close()
    events = (("killed", "the sidecar"), ("asked", "ping"), ("answered", answer))
    return Outcome(answer == "pong", answer, events)


def sidecar(folder: Path, off: Off) -> Outcome:
    """Read what a session said while nobody looked."""
    if "sidecar" in off:
        with Sessions(folder) as sessions:
            sessions.open("monday")
            said = sessions.send("monday", "Hello")
        heard = []
    else:
        with MainProcess(folder) as main:
            main.call("session.open", session_id="monday")
            said = main.call("session.send", session_id="monday", text="Hello")
            heard = main.call("events", after=0)["events"]
    events = (("answered", str(said.get("status", "answered"))), ("read afterwards", count(heard, "event")))
    return Outcome(bool(heard), f"{count(heard, 'event')} to catch up with", events)


def sessions(folder: Path, off: Off) -> Outcome:
    """Kill one of two sessions, and talk to the other."""
    if "sessions" in off:
        command = [sys.executable, "-c", _TOGETHER, str(folder), "killed"]
        path = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(command, capture_output=True, text=True, env=path, timeout=60, check=False)
        answered = done.stdout.strip() != ""
    else:
        with Sessions(folder) as children:
            monday = children.open("monday")
            children.open("tuesday")
            os.kill(monday["pid"], signal.SIGKILL)
            answered = bool(children.send("tuesday", "Are you there?"))
    seen = "the other one answers" if answered else "the other one died with it"
    return Outcome(answered, seen, (("killed", "monday"), ("asked", "tuesday"), ("seen", seen)))
