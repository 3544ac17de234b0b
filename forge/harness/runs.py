"""The runs of an agent session: each message of the user's is one, folded by the session of stage 2."""

from __future__ import annotations

from pathlib import Path

from ..errors import SessionRefused
from ..log import ChainLog
from ..state.session import RecordStatus, Session, find_run, finish_run, start_run
from .sqlite_database import HarnessDatabase
from .transcript import transcript_path


class RunLog:
    """The runs of one session in a chained log; a `database` shows where they stand."""

    def __init__(
        self, workspace: str | Path, session_id: str, database: HarnessDatabase | None = None
    ) -> None:
        self.session_id = session_id
        self._database = database
        self._log = ChainLog(transcript_path(workspace, session_id).with_name("runs.jsonl"))

    def session(self) -> Session:
        """The session as its runs left it. A last line that was cut is set aside: no run was begun by it."""
        session = Session(session_id=self.session_id)
        self._log.repair()
        for record in self._log.read():
            event = record.event
            if event["kind"] == "run_started":
                session = start_run(session, event["run_id"], retries=event["retries"])
            else:
                session = finish_run(session, event["run_id"], event["status"])
        return session

    def start(self, retries: str | None = None) -> str:
        """Start a run and return its id. One run at a time: another that is active is refused."""
        session = self.session()
        if session.active_run_ids:
            raise SessionRefused(
                "a run is going on",
                f"{self.session_id} is busy with {session.active_run_ids[0]}.",
                "Wait until it has finished.",
                session_id=self.session_id,
                run_id=session.active_run_ids[0],
            )
        run_id = f"run-{len(session.runs) + 1}"
        start_run(session, run_id, retries=retries)
        event = {"kind": "run_started", "run_id": run_id, "retries": retries}
        self._log.append(event)
        self._show(run_id, RecordStatus.ACTIVE, retries)
        return run_id

    def finish(self, run_id: str, status: RecordStatus) -> None:
        """Finish a run."""
        run = find_run(finish_run(self.session(), run_id, status), run_id)
        self._log.append({"kind": "run_finished", "run_id": run_id, "status": status.value})
        self._show(run_id, status, run.retries)

    def _show(self, run_id: str, status: RecordStatus, retries: str | None) -> None:
        if self._database is not None:
            self._database.put_run(self.session_id, run_id, status.value, retries)
