"""What may happen to a version memory: four kinds of event, each checked where it is made.

An event is a command that was accepted. The text of a document is a quote: whatever it says, it is carried
along and never read as an event.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from ..chain import MAX_SAFE_INTEGER
from ..errors import ContractError, ForgeModel, IllegalEvent, InvalidValue
from ..wording import show
from .digests import sha

DAY_EXPECTED = "a date as YYYY-MM-DD"


def is_day(value: object) -> bool:
    """Whether the value is text that names a day as YYYY-MM-DD; such texts compare as their days do."""
    if type(value) is not str or not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def _day(text: str) -> str:
    if not is_day(text):
        raise ValueError(DAY_EXPECTED)
    return text


def _approved(flag: bool) -> bool:
    if flag is not True:
        raise ValueError("true")
    return flag


Text = Annotated[str, Field(min_length=1)]
Version = Annotated[int, Field(ge=1, le=MAX_SAFE_INTEGER)]
Day = Annotated[str, AfterValidator(_day)]
Approved = Annotated[bool, AfterValidator(_approved)]  # Literal[True] would accept 1, which equals it


class Event(ForgeModel):
    """The base of the four kinds. What is not well formed raises `IllegalEvent`, a `ContractError`."""

    kind: str

    def __init__(self, /, **data: Any) -> None:
        try:
            super().__init__(**data)
        except InvalidValue as error:
            raise _illegal(error) from None

    @classmethod
    def model_validate(cls, obj: Any, **options: Any) -> Self:
        """The event that `obj` describes, or `IllegalEvent`."""
        try:
            return super().model_validate(obj, **options)
        except InvalidValue as error:
            raise _illegal(error) from None

    @classmethod
    def model_validate_json(cls, json_data: str | bytes | bytearray, **options: Any) -> Self:
        """The event that the JSON text describes, or `IllegalEvent`."""
        try:
            return super().model_validate_json(json_data, **options)
        except InvalidValue as error:
            raise _illegal(error) from None


class ImportDocument(Event):
    """A new version of a document becomes the active one.

    `sha256` is the digest of `text`. The document is in force on the days from `effective_from` up to but not
    including `effective_until`; an end that is None is open.
    """

    kind: Literal["import_document"] = "import_document"
    doc_id: Text
    version: Version
    title: Text
    text: str
    sha256: str
    effective_from: Day | None = None
    effective_until: Day | None = None

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        if self.sha256 != sha(self.text):
            raise _unlike(self, "sha256", sha(self.text), "Take the digest of the text as it is imported.")
        begins, ends = self.effective_from, self.effective_until
        if begins is not None and ends is not None and ends <= begins:
            raise _unlike(self, "effective_until", f"a day after {begins}", "Give a later day, or none.")
        return self


class RevokeDocument(Event):
    """The active version of a document may be used no more. Its text stays; no older version comes back."""

    kind: Literal["revoke_document"] = "revoke_document"
    doc_id: Text
    version: Version


class WriteMemory(Event):
    """Keep `value` under `key` in `scope`, in the place of an older version.

    `approved` says that the caller has decided to keep it. It does not show that anybody was asked.
    """

    kind: Literal["write_memory"] = "write_memory"
    key: Text
    value: Text
    scope: Text
    version: Version
    approved: Approved


class RevokeMemory(Event):
    """The current version of a memory, of that very scope, may be used no more."""

    kind: Literal["revoke_memory"] = "revoke_memory"
    key: Text
    scope: Text
    version: Version


KINDS: Mapping[str, type[Event]] = {
    kind.model_fields["kind"].default: kind
    for kind in (ImportDocument, RevokeDocument, WriteMemory, RevokeMemory)
}
"""The four kinds of event, by what their field `kind` says."""


def import_document(
    doc_id: str,
    version: int,
    title: str,
    text: str,
    *,
    effective_from: str | None = None,
    effective_until: str | None = None,
) -> ImportDocument:
    """The event that imports `text`, with its digest."""
    return ImportDocument(
        doc_id=doc_id,
        version=version,
        title=title,
        text=text,
        sha256=sha(text),
        effective_from=effective_from,
        effective_until=effective_until,
    )


def as_event(value: object) -> Event:
    """The event itself, or the one that a mapping describes; `ContractError` for anything else."""
    if isinstance(value, Event):
        return value
    if not isinstance(value, Mapping) or value.get("kind") not in KINDS:
        found = show(value.get("kind") if isinstance(value, Mapping) else value)
        raise IllegalEvent(
            "no such event",
            f"expected one of {', '.join(KINDS)}, found {found}.",
            path="kind",
            expected=", ".join(KINDS),
            found=found,
        )
    return KINDS[value["kind"]](**value)


def _illegal(error: InvalidValue) -> ContractError:
    if isinstance(error, ContractError):
        return error
    return IllegalEvent(error.words, error.facts, error.hint, **error.evidence)


def _unlike(event: ImportDocument, field: str, expected: str, hint: str) -> IllegalEvent:
    path, found = f"ImportDocument.{field}", show(getattr(event, field))
    facts = f"{event.doc_id}@{event.version}: expected {expected}, found {found}."
    return IllegalEvent(f"{path} was refused", facts, hint, path=path, expected=expected, found=found)
