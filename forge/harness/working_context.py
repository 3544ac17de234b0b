"""What a model is shown at each turn: the prompt from its parts, and the messages or their compaction.

The memories are read once for a message of the user's. The view grows by what was said and is compacted when
it nears its limit, so a turn costs the same in a long conversation as in a short one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from ..database import Closing
from ..memory import MemoryStore
from .compaction import CompactionResult, compact_audited, message_tokens, view_tokens
from .distil import Distilled, distil
from .durable import EMPTY, DurableContextState, ProtectedText, capture_retrieval_evidence
from .facts import keep
from .messages import Message
from .observe import Observer
from .prompt import STANDING_RULE, PromptPart, assemble_prompt, facts_part, recalled_part
from .recall import RecallEngine
from .remote_memory import RemoteMemoryStore
from .restore import selection_event
from .selection import MemorySelection, SelectionPolicy, select_memory_context
from .user_memory import UserMemory
from .workspace_memory import WorkspaceMemory

LIMIT = 24_000
"""Tokens that a view of the messages must stay below."""

Told = Callable[[str, dict[str, Any]], object]
"""Told what happened to the context: the kind of the transcript's event, and its data."""


class WorkingContext(Closing):
    """The context of one session: memories, prompt and compaction, each of which can be switched off.

    `own` is the folder of the harness's records. `home` is where a user's memory is kept, for all workspaces;
    without it there is none. `state` is what was restored of an earlier opening. `parts` are further parts of
    the prompt: a catalogue of skills, an expert.
    """

    def __init__(
        self,
        own: Path,
        observer: Observer,
        *,
        workspace: str,
        user: str = "me",
        home: Path | None = None,
        soul: str = "You are a careful assistant.",
        parts: Sequence[PromptPart] = (),
        off: Collection[str] = (),
        limit: int = LIMIT,
        state: DurableContextState = EMPTY,
        told: Told = lambda *_: None,
    ) -> None:
        self._observer, self._soul, self._parts, self._off = observer, soul, tuple(parts), set(off)
        self._limit, self._told = limit, told
        self._stores: list[Closing] = []
        self.workspace_memory: WorkspaceMemory | None = None
        self.user_memory: UserMemory | None = None
        if "workspace_memory" not in self._off:
            self.workspace_memory = WorkspaceMemory(self._store(own / "memory.sqlite3"), workspace)
        if "user_memory" not in self._off and home is not None:
            self.user_memory = UserMemory(self._store(home / "memory.sqlite3"), user)
        self.remote = RemoteMemoryStore(own / "remote.jsonl") if "remote_memory" not in self._off else None
        self._engine = RecallEngine(self.remote) if self.remote is not None else None
        # A memory that is switched off is not recalled by another way either.
        scopes = {"user_memory": (f"user:{user}", 1), "workspace_memory": (f"workspace:{workspace}", 2)}
        self.policy = SelectionPolicy(scopes=dict(s for name, s in scopes.items() if name not in self._off))
        self.view: list[Message] = []
        self.durable_state = state
        self.selection: MemorySelection | None = None
        self._seen = self._tokens = 0
        self._weighed = (EMPTY, 0)  # a durable state, and its tokens
        self._compact_at = int(limit * 0.8)
        self._system = ""

    def prepare(self, messages: Sequence[Message]) -> tuple[str, Sequence[Message]]:
        """The prompt and the view for the next call; `MessageViewLimitExceeded` before any call."""
        new = messages[self._seen :]
        self.view += new
        self._seen = len(messages)
        self._tokens += sum(map(message_tokens, new))
        if asked := [said for said in new if said.role == "user" and not said.tool_results]:
            self._system = self._prompt(asked[-1].text)
        if self._weight() >= self._compact_at and "compaction" not in self._off:
            self.compact(messages)
        return self._system, self.view

    def compact(self, messages: Sequence[Message], *, force: bool = False) -> CompactionResult:
        """Compact the view now, on record; with `force` as far as if it stood at its limit."""
        limit = min(self._limit, view_tokens(self.view, self.durable_state) + 1) if force else self._limit
        result = compact_audited(
            self._observer, self.view, self.durable_state, limit=limit, history=messages, force=force
        )
        self.view, self.durable_state = list(result.messages), result.durable_state
        self._tokens = result.tokens_after - view_tokens((), self.durable_state)
        if result.applied_layers:
            facts = {"tokens_before": result.tokens_before, "tokens_after": result.tokens_after}
            self._told("compaction", {**facts, "applied_layers": list(result.applied_layers)})
        return result

    def protect(self, text: ProtectedText) -> None:
        """Keep a text past every compaction."""
        self.durable_state = self.durable_state.protecting([text])

    def distil(self, messages: Iterable[Message], *, session_id: str, now: datetime) -> Distilled:
        """Keep what is worth it in workspace memory and where recall finds it; nothing without the former."""
        if self.workspace_memory is None:
            return Distilled((), ())
        distilled = distil(messages, self.workspace_memory, session_id=session_id, now=now)
        if self.remote is not None:
            for kept in distilled.kept:
                if self.remote.get(kept.fact.memory_id) is None:
                    keep(self.remote, kept.fact)
        return distilled

    def remembered(self) -> list[str]:
        """What the workspace and the user's memory hold, a line each."""
        memories = [memory for memory in (self.workspace_memory, self.user_memory) if memory is not None]
        return [f"{fact.scope}: {fact.content}" for memory in memories for fact in memory.facts()]

    def close(self) -> None:
        """Let go of the memories."""
        for store in self._stores:
            store.close()
        if self._engine is not None:
            self._engine.close()

    def _weight(self) -> int:
        """The tokens of the view with what goes along with it."""
        if self._weighed[0] is not self.durable_state:
            self._weighed = (self.durable_state, view_tokens((), self.durable_state))
        return self._tokens + self._weighed[1]

    def _store(self, path: Path) -> MemoryStore:
        store = MemoryStore(path)
        self._stores.append(store)
        return store

    def _prompt(self, query: str) -> str:
        if "prompt" in self._off:
            return self._soul
        rule = (self._soul, STANDING_RULE)
        parts = [PromptPart(name="soul", standing="instruction", lines=rule, source="forge"), *self._parts]
        if self.user_memory is not None:
            parts.append(facts_part("user_memory", self.user_memory.facts(), max_tokens=500))
        if self.workspace_memory is not None:
            parts.append(facts_part("workspace_memory", self.workspace_memory.facts(), max_tokens=1_000))
        if (selection := self._recalled(query)) is not None:
            parts.append(recalled_part(selection))
        return assemble_prompt([*parts, *self.durable_state.parts()]).text

    def _recalled(self, query: str) -> MemorySelection | None:
        if self._engine is None or not (recall := self._engine.recall(query, self.policy.scopes)).results:
            return None
        self.selection = select_memory_context(recall, self.policy)
        self.durable_state = capture_retrieval_evidence(self.selection, self.durable_state)
        self._told("recall_result", recall.to_json())
        self._told("memory_context_selected", selection_event(self.selection))
        return self.selection
