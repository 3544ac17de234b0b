"""Every error that forge raises, in one tree, and ForgeModel, the base of every model.

    ForgeError                      words, facts, hint, evidence
    ├── InvalidValue                a value refused at construction            ValueError
    ├── EventRefused                a reducer refuses an event                 ValueError
    ├── LogError                    an append-only log                         ValueError
    │   ├── TornTail                the last line was cut; repair() mends it
    │   ├── DamagedRecord           a whole line does not verify; never mended
    │   ├── NotCanonicalLine        right content, other bytes
    │   ├── StaleWriter             the log has moved on
    │   ├── SequenceGap             the writer is ahead of the log
    │   └── AnchorMismatch          the log is not the one the anchor remembers
    ├── SessionRefused              a session refuses a run or a status        ValueError
    ├── UnknownRun                  the session holds no such run              KeyError
    ├── CheckpointRefused           a checkpoint that must not be used         ValueError
    │   ├── CheckpointDamaged       other bytes than were saved
    │   ├── NotCanonicalCheckpoint  right content, other bytes
    │   └── UnsupportedCheckpoint   a schema version that forge cannot read
    ├── RecoveryRefused             checkpoint and events do not fit        ValueError
    │   ├── TailGap                 the tail does not follow the checkpoint
    │   ├── CheckpointAhead         it has seen more than the log holds
    │   └── CheckpointOfAnotherRun  the events are those of another run
    ├── RecoveryMismatch            recovery and full replay differ            RuntimeError
    ├── MemoryRefused               the store does not take a memory           ValueError
    │   ├── StaleMemory             the store knows something newer
    │   ├── DuplicateMemory         the store holds a memory of that id already
    │   └── IdempotencyCollision    one stable id, two contents
    ├── FidelityLost                a compression changed what is protected    ValueError
    ├── SummaryRefused              a summary that must not be used            ValueError
    ├── SourceRefused               a summary must not be made from this       ValueError
    ├── ContractError               what version memory refuses                ValueError
    │   ├── IllegalEvent            an event that is not well formed; also an InvalidValue
    │   ├── ChainCorrupted          a row does not follow, or rows are missing; never mended
    │   ├── SnapshotDiffers         the events lead to another state than is kept
    │   └── AnotherWriter           somebody else has appended
    ├── HarnessError                the agent harness cannot go on             RuntimeError
    │   ├── TurnLimit               the loop was asked for more turns than allowed
    │   ├── ProviderFailed          a model gave no answer that can be used
    │   ├── BudgetSpent             a call would cost more than is left
    │   ├── PeerLost                a child process or a server is gone
    │   ├── OutsideWorkspace        a path that leads out of the workspace
    │   ├── CompactionRefused       a shorter conversation that must not be used
    │   ├── MessageViewLimitExceeded  what a model would be shown is too long
    │   └── ProofBroken             evidence on disk does not agree with itself
    ├── LedgerDamaged               a file that is not one whole valid ledger  ValueError
    ├── WindowFull                  what was to be said does not fit           ValueError
    ├── StorageError                the disk said no                           OSError
    │   └── StoreBusy               another program holds the database
    └── CourseError                 the workbook itself
        ├── NotInCourse             no such stage, exercise, fault or hint     KeyError
        ├── ContractInvalid         a stage or fault file is wrong             ValueError
        ├── SubstitutionRefused     a function cannot be replaced now          RuntimeError
        ├── CheckFailed             an answer did not pass                     AssertionError
        ├── CheckInterrupted        somebody stopped a check                   KeyboardInterrupt
        └── BuildFailed             a notebook cannot be made from its source  ValueError

An error's text is fixed words, then the facts, then what to do:

    event sequence must be contiguous: event 4 of run-1 follows event 2, expected 3. Read the log from 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from .wording import expected_of, show


class ForgeError(Exception):
    """The root of the tree.

    `words` are fixed and enough to search for; `facts` say what, where, expected and found; `hint` says
    what to do next; `evidence` holds the same facts as values, for code that catches the error.
    """

    def __init__(self, words: str, facts: str = "", hint: str = "", **evidence: Any) -> None:
        super().__init__(words, facts, hint)
        self.words = words
        self.facts = facts
        self.hint = hint
        self.evidence = evidence

    def __str__(self) -> str:
        text = f"{self.words}: {self.facts}" if self.facts else self.words
        if not self.hint:
            return text
        return f"{text} {self.hint}" if text.endswith((".", "?")) else f"{text}. {self.hint}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.words, self.facts, self.hint, self.evidence)


def _rebuild(
    kind: type[ForgeError], words: str, facts: str, hint: str, evidence: dict[str, Any]
) -> ForgeError:
    return kind(words, facts, hint, **evidence)


class InvalidValue(ForgeError, ValueError):
    """A value is refused where it is made. Evidence: path, expected, found."""


class EventRefused(ForgeError, ValueError):
    """A reducer refuses an event; the state it was given is as it was. No evidence: the caller holds both."""


class LogError(ForgeError, ValueError):
    """A log cannot be read or written as asked. Evidence: path."""


class TornTail(LogError):
    """The last line was cut while it was written. Evidence: count of whole records, offset in bytes."""


class DamagedRecord(LogError):
    """A line that is whole does not verify. Evidence: line, offset in bytes."""


class NotCanonicalLine(LogError):
    """A line says the right thing in other bytes than the canonical ones. Evidence: line."""


class StaleWriter(LogError):
    """The log holds more records than the writer has seen. Evidence: expected, count."""


class SequenceGap(LogError):
    """The writer expects more records than the log holds. Evidence: expected, count."""


class AnchorMismatch(LogError):
    """The log does not hold the records that an anchor remembers. Evidence: count, expected, found."""


class SessionRefused(ForgeError, ValueError):
    """A session refuses a run or a status; it is unchanged. Evidence: session_id, run_id."""


class UnknownRun(ForgeError, KeyError):
    """The session holds no run of that id. Evidence: session_id, run_id, known."""


class CheckpointRefused(ForgeError, ValueError):
    """A checkpoint file that no run may be recovered from. Evidence: path."""


class CheckpointDamaged(CheckpointRefused):
    """The bytes of a checkpoint are not those that were saved. Evidence: path."""


class NotCanonicalCheckpoint(CheckpointRefused):
    """A checkpoint says the right thing in other bytes than it was saved in. Evidence: path, offset."""


class UnsupportedCheckpoint(CheckpointRefused):
    """A checkpoint has a schema version that forge cannot read. Evidence: path, found, known."""


class RecoveryRefused(ForgeError, ValueError):
    """A checkpoint and the events given with it do not belong together. Evidence: run_id, version."""


class TailGap(RecoveryRefused):
    """The first event of the tail is not the one after the checkpoint. Evidence: expected, found."""


class CheckpointAhead(RecoveryRefused):
    """The checkpoint has seen more events than the log holds. Evidence: version, count."""


class CheckpointOfAnotherRun(RecoveryRefused):
    """The checkpoint is one run's, the events are another's. Evidence: run_id, found."""


class RecoveryMismatch(ForgeError, RuntimeError):
    """Checkpoint and tail give another state than a full replay. Evidence: sequence, differences."""


class MemoryRefused(ForgeError, ValueError):
    """The store does not take a memory, and is unchanged. Evidence: memory_id."""


class StaleMemory(MemoryRefused):
    """The store holds a memory of the same key that is as new or newer. Evidence: memory_id, key, held."""


class DuplicateMemory(MemoryRefused):
    """An append-only store holds a memory of that id already. Evidence: memory_id, number."""


class IdempotencyCollision(MemoryRefused):
    """A stable id stands for another content than its own. Evidence: memory_id, field, expected, found."""


class FidelityLost(ForgeError, ValueError):
    """A compression lost, changed or added protected text. Evidence: field, index, expected, found."""


class SummaryRefused(ForgeError, ValueError):
    """A summariser gave nothing that can stand for the messages. Evidence: length, limit."""


class SourceRefused(ForgeError, ValueError):
    """A summary names a source it must not have; the cache is unchanged. Evidence: summary_id, source_id."""


class ContractError(ForgeError, ValueError):
    """Version memory refuses an event, a prefix, a date or a question; nothing has changed."""


class IllegalEvent(ContractError, InvalidValue):
    """An event of version memory is not well formed. Evidence: path, expected, found."""


class ChainCorrupted(ContractError):
    """The stored events are not those that were appended. Evidence: seq, expected, found."""


class SnapshotDiffers(ContractError):
    """The snapshot is not the state that the events lead to. Evidence: part, id, version."""


class AnotherWriter(ContractError):
    """The log has grown since this repository read it; nothing was written. Evidence: expected, count."""


class HarnessError(ForgeError, RuntimeError):
    """The agent harness cannot do what it was asked for."""


class TurnLimit(HarnessError):
    """The model asked for tools in every turn that it was allowed. Evidence: turns."""


class ProviderFailed(HarnessError):
    """A model gave no answer that can be used. Evidence: provider, status, attempts."""


class BudgetSpent(HarnessError):
    """The next call would cost more than is left; it was not made. Evidence: spent, budget."""


class PeerLost(HarnessError):
    """A child process or a server is gone, or does not keep to its protocol. Evidence: peer."""


class OutsideWorkspace(HarnessError):
    """A path leads out of the workspace; nothing was touched. Evidence: path."""


class CompactionRefused(HarnessError):
    """A compaction was not committed; the conversation is as it was. Evidence: what was compared."""


class MessageViewLimitExceeded(HarnessError):
    """A view is too long after all layers; no provider was called. Evidence: tokens, limit, layers."""


class ProofBroken(HarnessError):
    """What is on disk does not prove what it should; nothing was restored. Evidence: expected, found."""


class LedgerDamaged(ForgeError, ValueError):
    """A file is there, and it is not one whole valid ledger; it was left as it is. Evidence: path."""


class WindowFull(ForgeError, ValueError):
    """A window has no room for what was to be said in it; nothing was added. Evidence: capacity, size."""


class StorageError(ForgeError, OSError):
    """The file system refused an operation. Evidence: path, operation."""


class StoreBusy(StorageError):
    """Another program holds a database; nothing was written. Evidence: path, seconds."""


class CourseError(ForgeError):
    """The workbook, its files or the order in which its cells run."""

    def _render_traceback_(self) -> list[str]:
        # IPython shows these lines in place of a traceback: the mistake is in the cell, not in forge.
        return str(self).splitlines()


class NotInCourse(CourseError, KeyError):
    """A stage, exercise, fault or hint that does not exist. Evidence: name, known."""


class ContractInvalid(CourseError, ValueError):
    """A stage contract or a fault is not well formed. Evidence: path."""


class SubstitutionRefused(CourseError, RuntimeError):
    """A function cannot be replaced, or not now. Evidence: target."""


class CheckFailed(CourseError, AssertionError):
    """An answer did not pass its check. Evidence: report."""


class CheckInterrupted(CourseError, KeyboardInterrupt):
    """A check was interrupted; the function that it judged stands no longer in place of forge's."""


class BuildFailed(CourseError, ValueError):
    """A notebook cannot be made from its source. Evidence: path, line."""


class ForgeModel(BaseModel):
    """The base of every model: frozen, strict, without unknown fields.

    A refused value raises `InvalidValue` that names the field, what was expected and what was found.
    `model_copy(update=…)` validates what it changes, so no path leads to an instance that was not checked.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, validate_default=True)

    def __init__(self, /, **data: Any) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise _refusal(type(self).__name__, error) from None

    # pydantic then validates nested models itself, and the path in the error stays whole.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @classmethod
    def model_validate(cls, obj: Any, **options: Any) -> Self:
        """The instance that `obj` describes, or `InvalidValue`."""
        try:
            return super().model_validate(obj, **options)
        except ValidationError as error:
            raise _refusal(cls.__name__, error) from None

    @classmethod
    def model_validate_json(cls, json_data: str | bytes | bytearray, **options: Any) -> Self:
        """The instance that the JSON text describes, or `InvalidValue`."""
        try:
            return super().model_validate_json(json_data, **options)
        except ValidationError as error:
            raise _refusal(cls.__name__, error) from None

    def __setattr__(self, name: str, value: Any) -> None:
        raise self._frozen(name)

    def __delattr__(self, name: str) -> None:
        raise self._frozen(name)

    def _frozen(self, name: str) -> InvalidValue:
        model = type(self).__name__
        return InvalidValue(
            f"{model} is frozen",
            f"{name} was to be set.",
            f"Make a new one: model_copy(update={{{name!r}: …}}).",
        )

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with the fields of `update` changed and checked."""
        if not update:
            return super().model_copy(deep=deep)
        try:
            # Folding an event ends here, so this goes to pydantic's validator without a detour.
            copy: Self = self.__pydantic_validator__.validate_python({**self.__dict__, **update})
        except ValidationError as error:
            raise _refusal(type(self).__name__, error) from None
        return copy


def _refusal(model: str, error: ValidationError) -> ForgeError:
    first = error.errors(include_url=False)[0]
    raised = first.get("ctx", {}).get("error")
    if isinstance(raised, ForgeError):
        return raised
    path = model + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in first["loc"])
    expected = expected_of(first) or str(raised or first["type"].replace("_", " "))
    found = "nothing" if first["type"] == "missing" else show(first["input"])
    return InvalidValue(
        f"{path} was refused",
        f"expected {expected}, found {found}.",
        path=path,
        expected=expected,
        found=found,
    )
