"""What a user asks the harness itself: /status, /audit, /memory, /compact and /schedule.

A command is answered in lines of text. It is no message: the model does not see it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from ..errors import CompactionRefused, InvalidValue
from ..wording import show
from .harness import Harness
from .schedule_line import parse_schedule
from .scheduler import Due, Scheduler
from .working_context import WorkingContext

Lines = list[str]


def run_command(harness: Harness, line: str, *, now: datetime, zone: str = "UTC") -> Lines:
    """The answer to a line that begins with “/”. `InvalidValue` names the commands there are."""
    name, _, rest = line.strip().partition(" ")
    if name == "/schedule":
        return schedule(harness, rest.strip(), now=now, zone=zone)
    command = COMMANDS.get(name)
    if command is None:
        known = ", ".join([*COMMANDS, "/schedule"])
        raise InvalidValue("there is no such command", f"found {show(name)}; there are: {known}.")
    return command(harness)


def status(harness: Harness) -> Lines:
    """The session, what was used of models and tools, and what is remembered."""
    turns = sum(message.role == "assistant" for message in harness.messages)
    lines = [
        f"session  {harness.session_id}, agent {harness.agent}, provider {harness.provider.name}",
        f"         {len(harness.messages)} messages, {turns} turns",
    ]
    if harness.database is not None:
        for model in harness.database.model_usage(harness.session_id):
            tokens = f"{model.input_tokens:,} tokens in, {model.output_tokens:,} out"
            lines.append(
                f"usage    {model.model}: {model.calls} calls, {tokens}, cost {model.cost / 1e6:.6f}"
            )
        tools = harness.database.tool_usage(harness.session_id)
        lines += [f"         {tool.tool}: {tool.calls} calls, {tool.failed} failed" for tool in tools]
    writing = sum(tool.writes for tool in harness.registry)
    lines.append(f"tools    {len(harness.registry)} tools, of which {writing} ask")
    if isinstance(harness.working, WorkingContext):
        lines.append(f"memory   {len(harness.working.remembered())} facts")
    if harness.off:
        lines.append(f"off      {', '.join(sorted(harness.off))}")
    return lines


def audit(harness: Harness, last: int = 10) -> Lines:
    """Whether the audit chain holds, its anchor, and the last operations."""
    harness.audit.sync()
    report = harness.audit.verify()
    head = report.records[-1].record_hash if report.records else "0" * 64
    count = len(report.records)
    lines = [
        f"✓ {count} operations, the chain holds"
        if report.holds
        else f"✗ after operation {count}: {report.problem}"
    ]
    lines.append(f"  anchor {count}:{head}")
    for record in report.records[-last:]:
        seen = record.operation
        what = f"{seen.stage} {seen.tool}" if seen.tool else seen.stage
        lines.append(
            f"  {record.number:>4} {seen.session_id} {what}: {seen.duration_us / 1000:.1f} ms"
            + (f", {seen.error_class}" if seen.error_class else "")
            + (f", {seen.evidence}" if seen.evidence else "")
        )
    return lines


def memory(harness: Harness) -> Lines:
    """What the workspace and the user's memory hold."""
    if not isinstance(harness.working, WorkingContext):
        return ["○ this session has no memory"]
    return harness.working.remembered() or ["○ nothing is remembered yet"]


def compact(harness: Harness) -> Lines:
    """Compact what the model is shown, now, and say by which layers."""
    if not isinstance(harness.working, WorkingContext):
        return ["○ this session has no compaction"]
    harness.working.prepare(harness.messages)
    try:
        result = harness.working.compact(harness.messages, force=True)
    except CompactionRefused as refused:
        return [f"○ {refused}"]
    layers = ", ".join(result.applied_layers) or "no layer"
    return [f"◐ {result.tokens_before:,} tokens became {result.tokens_after:,}, by {layers}"]


def schedule(harness: Harness, text: str, *, now: datetime, zone: str = "UTC") -> Lines:
    """List the schedules, or `remove ID`, or add one: see `parse_schedule`."""
    if harness.database is None or not harness.on("scheduler"):
        return ["○ schedules need the scheduler and the database"]
    scheduler = Scheduler(harness.database)
    if text.startswith("remove "):
        scheduler.remove(text.removeprefix("remove ").strip())
        return ["✓ removed"]
    if text:
        made = scheduler.add(parse_schedule(text), start=now, zone=zone)
        return [f"✓ {made.schedule_id}: {made.rrule} ({made.zone}): {made.prompt}"]
    listed = [f"{one.schedule_id}: {one.rrule} ({one.zone}): {one.prompt}" for one in scheduler.schedules()]
    return listed or ["○ nothing is scheduled"]


def run_due(harness: Harness, now: datetime, told: Callable[[Due], object] = lambda _: None) -> list[Due]:
    """Send the prompts of what is due, each once however often it was missed."""
    if harness.database is None or not harness.on("scheduler"):
        return []

    def send(due: Due) -> None:
        told(due)
        harness.send(due.schedule.prompt)

    return Scheduler(harness.database).run_due(now, send)


COMMANDS: dict[str, Callable[[Harness], Lines]] = {
    "/status": status,
    "/audit": audit,
    "/memory": memory,
    "/compact": compact,
    "/help": lambda _: [*COMMANDS, "/schedule [daily 09:00 PROMPT | remove ID]", "/quit"],
}
"""The commands that take nothing besides their name."""
