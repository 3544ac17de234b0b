"""Real models over HTTP, in two shapes: Anthropic's, and the one that is called OpenAI-compatible.

`provider_from_environment` chooses: without `FORGE_PROVIDER` it is the mock, and nothing is ever sent.

    FORGE_PROVIDER         anthropic | openai
    FORGE_MODEL            the model's name, sent as it is
    FORGE_API_KEY          the key; it is sent, and shown nowhere
    FORGE_BASE_URL         https://…, up to and without /messages or /chat/completions
    FORGE_BUDGET_TOKENS    how many tokens may be used in all; 200,000 by default

A call that would exceed the budget is not made. A refusal that may pass (429, 5xx, a lost connection) is
tried again, at most `attempts` times, after a pause that doubles; any other refusal is told at once. Once a
piece of a reply has been given on, nothing is tried again: a reply is never begun twice.
"""

from __future__ import annotations

import http.client
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from urllib.parse import urlsplit

from ..errors import BudgetSpent, InvalidValue, ProviderFailed
from ..wording import show
from .mock import MockProvider, demo
from .observe import hide_secrets
from .streaming import End, Piece, Provider, Request
from .wire import SHAPES, Shape, events_of

_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_LONGEST_PAUSE = 30.0


class HttpProvider:
    """A model behind HTTP. `sleep` waits between two attempts; `budget` counts tokens, sent and written."""

    def __init__(
        self,
        shape: Shape,
        base_url: str,
        key: str,
        *,
        model: str | None = None,
        budget: int = 200_000,
        attempts: int = 4,
        timeout: float = 60.0,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        parts = urlsplit(base_url)
        local = parts.hostname in ("localhost", "127.0.0.1", "::1")
        if not parts.hostname or not (parts.scheme == "https" or (parts.scheme == "http" and local)):
            raise InvalidValue(
                "FORGE_BASE_URL was refused", f"expected an address with https://, found {show(base_url)}."
            )
        self.name = shape.name
        self.budget, self.spent = budget, 0
        self._shape, self._parts, self._key, self._model = shape, parts, key, model
        self._attempts, self._timeout, self._sleep = attempts, timeout, sleep

    def __repr__(self) -> str:
        return f"<{self.name} at {self._parts.hostname}>"

    def stream(self, request: Request) -> Iterator[Piece]:
        """The reply in pieces; see `Provider`."""
        body = json.dumps(self._shape.body(request, self._model or request.model)).encode()
        expected = len(body) // 4 + request.max_tokens
        if self.spent + expected > self.budget:
            raise BudgetSpent(
                "the budget is spent",
                f"{self.spent:,} of {self.budget:,} tokens are used, the call may need {expected:,}.",
                "It was not made. Raise FORGE_BUDGET_TOKENS, or ask for less.",
                spent=self.spent,
                budget=self.budget,
            )
        for attempt in range(1, self._attempts + 1):
            begun = False
            try:
                for piece in self._once(body):
                    begun = True
                    if isinstance(piece, End):
                        self.spent += sum(piece.usage) or expected
                    yield piece
                return
            except ProviderFailed as error:
                if begun or attempt == self._attempts or not error.evidence.get("passing"):
                    error.evidence["attempts"] = attempt
                    raise
                wait = error.evidence.get("wait")
                self._sleep(min(_LONGEST_PAUSE, wait if wait is not None else 0.5 * 2 ** (attempt - 1)))

    def _once(self, body: bytes) -> Iterator[Piece]:
        https = self._parts.scheme == "https"
        kind = http.client.HTTPSConnection if https else http.client.HTTPConnection
        with closing(kind(self._parts.hostname or "", self._parts.port, timeout=self._timeout)) as connection:
            try:
                path = self._parts.path.rstrip("/") + self._shape.path
                headers = {"content-type": "application/json", **self._shape.headers(self._key)}
                connection.request("POST", path, body, headers)
                response = connection.getresponse()
                if response.status != 200:
                    raise self._refused(response)
                yield from self._shape.pieces(events_of(response))
            except (OSError, http.client.HTTPException) as error:
                raise self._failed("the connection was lost", type(error).__name__, passing=True) from error

    def _refused(self, response: http.client.HTTPResponse) -> ProviderFailed:
        said = hide_secrets(response.read(2000).decode("utf-8", "replace").replace(self._key, "[hidden]"))
        after = response.getheader("retry-after") or ""
        return self._failed(
            "the provider refused",
            f"status {response.status}: {' '.join(said.split())[:300]}",
            status=response.status,
            passing=response.status in _PASSING,
            wait=float(after) if after.replace(".", "", 1).isdigit() else None,
        )

    def _failed(self, words: str, facts: str, **evidence: object) -> ProviderFailed:
        passing = evidence.get("passing")
        hint = "Try again later." if passing else "Check key, model and address."
        return ProviderFailed(words, facts, hint, provider=self.name, **evidence)


def provider_from_environment(environment: Mapping[str, str] | None = None) -> Provider:
    """The provider that the environment names; the mock when it names none."""
    env = os.environ if environment is None else environment
    name = env.get("FORGE_PROVIDER", "mock")
    if name == "mock":
        return MockProvider(demo)
    if name not in SHAPES:
        known = ", ".join(["mock", *SHAPES])
        raise InvalidValue("FORGE_PROVIDER was refused", f"expected one of {known}, found {show(name)}.")
    missing = [key for key in ("FORGE_API_KEY", "FORGE_MODEL", "FORGE_BASE_URL") if not env.get(key)]
    if missing:
        raise InvalidValue(f"{missing[0]} was refused", f"expected a value for {name}, found nothing.")
    budget = env.get("FORGE_BUDGET_TOKENS", "200000")
    if not budget.isascii() or not budget.isdigit():
        raise InvalidValue(
            "FORGE_BUDGET_TOKENS was refused", f"expected a whole number, found {show(budget)}."
        )
    return HttpProvider(
        SHAPES[name],
        env["FORGE_BASE_URL"],
        env["FORGE_API_KEY"],
        model=env["FORGE_MODEL"],
        budget=int(budget),
    )
