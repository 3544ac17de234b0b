"""The whole: one loop, with every mechanism in its place around it.

A `Harness` is one session. A mechanism that is switched off is not there: nothing else changes, and what goes
wrong without it shows. The switches are the names of `mechanisms.MECHANISMS`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from ..database import Closing
from ..errors import ProviderFailed
from ..instants import instant
from .audit import AuditLog
from .building import Context, tools_of, working_context
from .deferred import DeferredTools
from .distil import Distilled
from .experts import Expert
from .externalise import Outputs
from .gate import refused
from .loop import run_loop
from .mechanisms import require_switches
from .messages import Message, ToolResultBlock, ToolUseBlock, results, user
from .observe import Observer, Watch, brief
from .permissions import Permissions
from .restart import go_on, settle
from .routing import MODELS, Router, Tier
from .sandbox import OWN
from .skills import Skills
from .sqlite_database import HarnessDatabase
from .streaming import Provider, Reply, Request, collect
from .tools import Tool, ToolRegistry, failed
from .transcript import Transcript, transcript_path
from .visualiser import Figure, extract
from .working_context import WorkingContext


@dataclass
class Harness(Closing):
    """One session in a workspace: `send` is a turn of the user's, and everything else follows from it.

    `off` names the mechanisms that are switched off. A session that exists is gone on with: its messages are
    read back, and calls whose result is missing are settled first.
    """

    workspace: Path
    session_id: str
    provider: Provider
    off: Collection[str] = ()
    agent: str = "main"
    task: str = "chat"
    permissions: Permissions = field(default_factory=Permissions)
    context: Context | None = None
    home: Path | None = None
    skills: Skills | None = None
    expert: Expert | None = None
    extra_tools: Sequence[Tool] = ()
    show_text: Callable[[str], object] | None = None
    turn_limit: int = 50

    def __post_init__(self) -> None:
        require_switches(self.off)
        self.workspace = Path(self.workspace).resolve()
        self.own = self.workspace / OWN
        self.messages: list[Message] = []
        self.figures: list[Figure] = []
        self.distilled = Distilled((), ())
        self.outputs = Outputs(self.own / "outputs")
        self.router = Router()
        self.database = HarnessDatabase(self.own / "harness.sqlite3") if self.on("database") else None
        self.registry = ToolRegistry(tools_of(self))
        if self.expert is not None and self.on("experts"):
            self.agent = self.expert.name
            self.registry = self.expert.registry(self.registry)
        self.deferred = DeferredTools(self.registry) if self.on("deferred") and self.on("tools") else None
        self.audit = AuditLog(self.own / "audit.jsonl")
        self.audit.repair()
        self.transcript: Transcript | None = None
        opened = 1
        if self.on("transcript"):
            self.transcript = Transcript(transcript_path(self.workspace, self.session_id), self.session_id)
            opened = go_on(self, self.transcript)
        self.observer = Observer(self.audit.append, self.session_id, label=f"{self.session_id}.{opened}")
        self._ids = {call.id for message in self.messages for call in message.tool_uses}
        self._recorded = {done.tool_use_id for message in self.messages for done in message.tool_results}
        self.working = self.context or working_context(self)
        if self.database is not None:
            self.database.open_session(self.session_id, self.agent, instant())

    @property
    def evidence(self) -> str | None:
        """The file that holds what was said in this session, in the folder of the harness's records."""
        return None if self.transcript is None else self.transcript.path.relative_to(self.own).as_posix()

    def on(self, mechanism: str) -> bool:
        """Whether a mechanism is switched on."""
        return mechanism not in self.off

    def send(self, text: str) -> Message:
        """The final message that the model gives to a message of the user's."""
        self._settle()
        said = user(text)
        self._keep(said)
        self.messages.append(said)
        final = self.go_on()
        if self.on("visualiser"):
            self.figures = extract(final.text)
        return final

    def go_on(self) -> Message:
        """The final message, from where the session stands: after a restart, or after a limit was raised."""
        self._settle()
        return run_loop(self.messages, self.ask, self.act, keep=self._keep, limit=self.turn_limit)

    def ask(self, messages: Sequence[Message]) -> Reply:
        """One call of a model: its context is prepared, its tier chosen, its usage counted."""
        system, view = self.working.prepare(messages)
        tier = self.expert.tier if self.expert is not None and self.on("experts") else None
        model = self.router.route(self.task, tier=tier) if self.on("routing") else MODELS[Tier.CRAFT]
        tools = self.registry.describe(deferred=self.deferred is None)
        with self._operation("model") as watch:
            request = Request(model.name, system, view, tools)
            reply = collect(self.provider.stream(request), show_text=self.show_text)
            watch.cost, watch.evidence = model.cost(reply.usage), self.evidence
            watch.facts = {"model": model.name, "stop_reason": reply.stop_reason, **reply.usage._asdict()}
        if self.database is not None:
            self.database.track_model(self.session_id, model.name, reply.usage, watch.cost)
        self._require_new_ids(reply)
        return reply

    def act(self, call: ToolUseBlock) -> ToolResultBlock:
        """The result of one call, after everything that stands before it, and on record."""
        began = time.perf_counter_ns()
        name = call.name
        with self._operation("tool", name) as watch:
            watch.evidence = self.evidence
            result, name = self._made(call, watch)
            watch.facts["tool_use_id"] = call.id
            watch.error_class = watch.error_class or ("ToolError" if result.is_error else None)
        if self.database is not None:
            spent = (time.perf_counter_ns() - began) // 1000
            self.database.track_tool(self.session_id, call.id, name, not result.is_error, spent)
        self._record(result)
        return result

    def close(self) -> None:
        """End the session: what is worth keeping goes into workspace memory, and all is written."""
        if isinstance(self.working, WorkingContext):
            self.distilled = self.working.distil(
                self.messages, session_id=self.session_id, now=datetime.now(UTC)
            )
            self.working.close()
        self.audit.sync()
        if self.database is not None:
            self.database.close_session(self.session_id, instant())
            self.database.close()

    def _made(self, call: ToolUseBlock, watch: Watch) -> tuple[ToolResultBlock, str]:
        if self.deferred is not None:
            inner = self.deferred.unwrap(call)
            if isinstance(inner, ToolResultBlock):
                return inner, call.name
            call = inner
        tool = self.registry.get(call.name)
        watch.facts.update(called=call.name, input=brief(call.input))
        if tool is not None and (refusal := refused(self, tool, call, watch)):
            return failed(call, refusal), call.name
        result = self.registry.dispatch(call)
        if self.on("externalise"):
            text, pointer = self.outputs.shorten(result.content)
            if pointer is not None:
                watch.evidence = pointer.path
                result = result.model_copy(update={"content": text})
        return result, call.name

    def _operation(self, stage: str, tool: str | None = None) -> AbstractContextManager[Watch]:
        return self.observer.operation(stage, tool) if self.on("audit") else nullcontext(Watch())

    def _keep(self, message: Message) -> None:
        if self.transcript is None:
            return
        if not message.tool_results:
            self.transcript.append_message(message)
        for result in message.tool_results:  # those of `act` are on record already
            self._record(result)

    def _settle(self) -> None:
        # Somebody interrupted a call: it has its result before anything else is said.
        if not self.messages or not (calls := self.messages[-1].tool_uses):
            return
        if self.transcript is None:
            self.messages.append(results(settle(call, self.registry) for call in calls))
            return
        for call in self.transcript.open_calls():
            self._record(settle(call, self.registry))
        self.messages[:] = self.transcript.messages()

    def _record(self, result: ToolResultBlock) -> None:
        if self.transcript is not None and result.tool_use_id not in self._recorded:
            self.transcript.append_result(result)
            self._recorded.add(result.tool_use_id)

    def _require_new_ids(self, reply: Reply) -> None:
        ids = {block.id for block in reply.blocks if isinstance(block, ToolUseBlock)}
        if again := sorted(ids & self._ids):
            raise ProviderFailed(
                "a call id was used twice",
                f"{again[0]} has named another call of this session.",
                "Nothing was called. Ask again.",
                provider=self.provider.name,
            )
        self._ids |= ids
