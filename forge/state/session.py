"""A session and its runs: which there are, which are still going on, and which of them try another again.

A session holds where its runs stand, not what happened in them; that is in each run's own events.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from ..errors import ForgeModel, SessionRefused, UnknownRun
from ..wording import show


class RecordStatus(StrEnum):
    """Where a run of a session stands."""

    ACTIVE = "active"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


ENDED = (RecordStatus.COMPLETED, RecordStatus.FAILED, RecordStatus.CANCELLED)
"""The statuses a run can finish with; none of them is ever left again."""


class RunRecord(ForgeModel):
    """One run of a session. `retries` names the run that this one tries again."""

    run_id: str = Field(min_length=1)
    status: Annotated[RecordStatus, Field(strict=False)] = RecordStatus.ACTIVE
    retries: str | None = None


class Session(ForgeModel):
    """Runs that belong together, in the order they were started.

    It is made empty and never changes: `start_run` and `finish_run` return a new one.
    """

    session_id: str = Field(min_length=1)
    runs: tuple[RunRecord, ...] = ()

    @property
    def active_run_ids(self) -> tuple[str, ...]:
        """The ids of the runs that have not finished, in the order they were started."""
        return tuple(run.run_id for run in self.runs if run.status is RecordStatus.ACTIVE)


def start_run(session: Session, run_id: str, *, retries: str | None = None) -> Session:
    """The session with one more run, active; `retries` is the run it tries again.

    `SessionRefused`, a `ValueError`, for an id that the session already holds, and for
    a run that cannot be tried again (see `require_retriable`); `UnknownRun`, a
    `KeyError`, for a run that does not exist.
    """
    if any(run.run_id == run_id for run in session.runs):
        raise SessionRefused(
            "run_id must be unique inside a session",
            f"{session.session_id} already holds {run_id}.",
            f"Give the new run an id of its own; if it tries {run_id} again, say so with retries.",
            session_id=session.session_id,
            run_id=run_id,
        )
    if retries is not None:
        require_retriable(session, retries)
    started = RunRecord(run_id=run_id, retries=retries)
    return session.model_copy(update={"runs": (*session.runs, started)})


def finish_run(session: Session, run_id: str, status: str) -> Session:
    """The session in which the run has finished: "completed", "failed" or "cancelled".

    `SessionRefused` for another status and for a run that has finished before;
    `UnknownRun` for a run that does not exist.
    """
    require_end(session, run_id, status)
    run = find_run(session, run_id)
    require_active(session, run, status)
    finished = run.model_copy(update={"status": status})
    runs = tuple(finished if other is run else other for other in session.runs)
    return session.model_copy(update={"runs": runs})


def require_end(session: Session, run_id: str, status: str) -> None:
    """Refuse to finish a run with a status that is not an end."""
    if status not in ENDED:
        raise SessionRefused(
            "finish status must be terminal",
            f"expected {', '.join(ENDED[:-1])} or {ENDED[-1]}, found {show(status)}.",
            session_id=session.session_id,
            run_id=run_id,
        )


def require_active(session: Session, run: RunRecord, status: str) -> None:
    """Refuse to finish a run that has finished before: two verdicts would leave the reader to choose."""
    if run.status is not RecordStatus.ACTIVE:
        raise SessionRefused(
            "run is already terminal",
            f"{run.run_id} is {run.status}, and cannot become {status}.",
            "To try it again, start a new run that retries it.",
            session_id=session.session_id,
            run_id=run.run_id,
        )


def find_run(session: Session, run_id: str) -> RunRecord:
    """The run of that id; `UnknownRun` when there is none."""
    for run in session.runs:
        if run.run_id == run_id:
            return run
    known = [run.run_id for run in session.runs]
    raise UnknownRun(
        f"no run is called {show(run_id)}",
        f"{session.session_id} holds {', '.join(known) or 'no runs'}.",
        session_id=session.session_id,
        run_id=run_id,
        known=known,
    )


def require_retriable(session: Session, run_id: str) -> None:
    """Refuse to try a run again unless it failed or was cancelled, and nothing has tried it again yet.

    An active run is still at work, and a completed one has nothing left to do: a second run beside either
    would do the work twice. For the same reason a run is tried again once; the attempt after that names the
    last one, so attempts form a line and never a fork.
    """
    run = find_run(session, run_id)
    later = next((other.run_id for other in session.runs if other.retries == run_id), None)
    if run.status not in (RecordStatus.FAILED, RecordStatus.CANCELLED):
        facts, hint = f"{run_id} is {run.status}.", "Only a run that failed or was cancelled is tried again."
    elif later is not None:
        facts, hint = f"{later} has tried {run_id} again already.", f"Try {later} again instead."
    else:
        return
    raise SessionRefused(
        "run cannot be tried again", facts, hint, session_id=session.session_id, run_id=run_id
    )
