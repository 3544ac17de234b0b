"""Mechanism 7: sessions, each in a child process of its own, over the session of stage 2.

A message of the user's is a run. What a session's runs came to stands in a chained log, folded by
`forge.state`; what was said in them stands in its transcript. A child that dies takes its own session's run
with it and nothing else: the run has failed, and `retry` is a new run of the same session that names it.

Going back in time is a new session: `fork` copies messages up to a point, and no approval.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..chain import canonical
from ..database import Closing
from ..errors import HarnessError, PeerLost
from ..state.session import RecordStatus
from ..wording import show
from .jsonrpc import Remote, RemoteFailed
from .runs import RunLog
from .sandbox import OWN
from .sqlite_database import HarnessDatabase
from .transcript import Kind, Transcript, open_calls, transcript_path

Heard = Callable[[str, str, dict[str, Any]], object]
"""Told what a session says while it works: the session's id, the kind of event, and its data."""


class _Child:
    """The process of one session."""

    def __init__(self, workspace: Path, session_id: str, heard: Heard) -> None:
        self.turn = threading.Lock()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "forge.harness.session_child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._remote = Remote(
            f"process of session {session_id}",
            self.process.stdout,
            self.process.stdin,
            lambda event, data: heard(session_id, event, data),
        )
        self.process.stdin.write(canonical({"workspace": str(workspace), "session_id": session_id}) + b"\n")
        self.opened = self.call("open")

    def call(self, method: str, **params: Any) -> Any:
        try:
            return self._remote.call(method, **params)
        except RemoteFailed:
            raise
        except PeerLost:
            self.end()
            raise

    def end(self) -> None:
        for stream in (self.process.stdin, self.process.stdout):
            with suppress(OSError):  # what was still to be sent has nobody to read it
                stream.close()  # type: ignore[union-attr]
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Sessions(Closing):
    """The sessions of a workspace that this process has opened, by id."""

    def __init__(self, workspace: str | Path, *, heard: Heard = lambda *_: None) -> None:
        self.workspace = Path(workspace).resolve()
        self._heard = heard
        self._database = HarnessDatabase(self.workspace / OWN / "harness.sqlite3")
        self._children: dict[str, _Child] = {}
        self._turn = threading.Lock()

    def open(self, session_id: str) -> dict[str, Any]:
        """Start the process of a session, if it has none, and say how it stands.

        A run that was going on when its process died has failed.
        """
        log = RunLog(self.workspace, session_id, self._database)
        with self._turn:
            child = self._children.get(session_id)
            if child is None or child.process.poll() is not None:
                child = self._children[session_id] = _Child(self.workspace, session_id, self._heard)
                for run_id in log.session().active_run_ids:
                    log.finish(run_id, RecordStatus.FAILED)
        runs = [{"run_id": run.run_id, "status": run.status.value} for run in log.session().runs]
        return {"session_id": session_id, "pid": child.process.pid, "messages": child.opened, "runs": runs}

    def send(self, session_id: str, text: str) -> dict[str, Any]:
        """What the model says in the end to a message of the user's, as a new run."""
        return self._run(session_id, None, "send", text=text)

    def retry(self, session_id: str) -> dict[str, Any]:
        """Go on where the last run failed, as a new run that names it."""
        self.open(session_id)
        runs = RunLog(self.workspace, session_id).session().runs
        return self._run(session_id, runs[-1].run_id if runs else "", "go_on")

    def listed(self) -> list[dict[str, Any]]:
        """The sessions on disk, by id, with their runs and whether a process of ours serves them."""
        folder = self.workspace / OWN / "sessions"
        found = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
        with self._turn:
            alive = {name for name, child in self._children.items() if child.process.poll() is None}
        logs = {name: RunLog(self.workspace, name).session() for name in found}
        return [
            {"session_id": name, "runs": len(session.runs), "open": name in alive}
            for name, session in logs.items()
        ]

    def fork(self, session_id: str, new_id: str, messages: int) -> dict[str, Any]:
        """Make the session `new_id` from the first `messages` of another. No approval comes along."""
        source = Transcript(transcript_path(self.workspace, session_id), session_id).messages()
        path = transcript_path(self.workspace, new_id)
        kept = source[:messages]
        why = ""
        if path.exists():
            why = f"{new_id} exists already."
        elif not 0 <= messages <= len(source):
            why = f"{session_id} has {len(source)} messages, found {show(messages)}."
        elif open_calls(kept):
            why = f"message {messages} of {session_id} asks for a call whose result comes after it."
        if why:
            hint = "Choose a new id, and a point at which every call has its result."
            raise HarnessError("a session cannot be forked there", why, hint)
        transcript = Transcript(path, new_id)
        transcript.append(Kind.SESSION_OPENED, {"forked_from": session_id, "messages": messages})
        for message in kept:
            for result in message.tool_results:
                transcript.append_result(result)
            if not message.tool_results:
                transcript.append_message(message)
        return {"session_id": new_id, "messages": len(kept)}

    def end(self, session_id: str) -> None:
        """End the process of a session; its transcript stays."""
        with self._turn:
            child = self._children.pop(session_id, None)
        if child is not None:
            child.end()

    def close(self) -> None:
        """End every session's process."""
        for session_id in list(self._children):
            self.end(session_id)
        self._database.close()

    def _run(self, session_id: str, retries: str | None, method: str, **params: Any) -> dict[str, Any]:
        self.open(session_id)
        child = self._children[session_id]
        with child.turn:
            log = RunLog(self.workspace, session_id, self._database)
            run_id = log.start(retries)
            status = RecordStatus.FAILED
            try:
                text = child.call(method, **params)
                status = RecordStatus.COMPLETED
            finally:
                log.finish(run_id, status)
        return {"run_id": run_id, "status": status.value, "text": text}
