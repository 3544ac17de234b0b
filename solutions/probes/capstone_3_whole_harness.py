# %% [markdown]
# Capstone 3: the inputs that answers are graded on. How the cells of this file are used says stage 1's.

# %% tags=["kernel"]
from pathlib import Path

from forge.grading.inside.outcomes import outcome, scene
from forge.harness.audit import AuditLog
from forge.harness.externalise import Outputs
from forge.harness.messages import TextBlock, ToolResultBlock, ToolUseBlock, assistant, results, user
from forge.harness.observe import Operation
from forge.harness.permissions import Asked, Grant, Permissions
from forge.harness.sqlite_database import HarnessDatabase
from forge.harness.streaming import Reply
from forge.harness.tools import Tool, ToolRegistry
from forge.harness.transcript import Kind, Transcript, transcript_path

WORDS = (
    "an MCP tool was refused",
    "the server says that the call failed",
    "a schedule was refused",
    "a call and its result are separated",
    "an output was changed",
    "no output has this digest",
    "digest was refused",
    "the part was refused",
    "the loop has reached its limit",
    "a file cannot be delivered",
    "it leads out of the workspace",
    "records",
    "session_id",
)


def told(act):
    return outcome(act, words=WORDS)


def adapt_a_tool(adapt_tool, given):
    sent = []

    def call(name, values):
        sent.append([name, dict(values)])
        return given["answer"]

    def made():
        tool = adapt_tool(given["server"], given["entry"], call, trusted=given["trusted"])
        before = len(sent)
        called = ToolUseBlock(id="c1", name=tool.name, input=given["input"])
        found = ToolRegistry([tool]).dispatch(called)
        about = [tool.name, tool.description, dict(tool.parameters), sorted(tool.optional)]
        text = found.content.partition(":")[0] if found.is_error else found.content
        return [*about, tool.writes, tool.deferred, before, text, found.is_error, sent]

    return told(made)


def take_out_drawings(extract_drawings, given):
    def found():
        text, drawings = extract_drawings(given)
        return [text, [[each.kind, each.source] for each in drawings]]

    return told(found)


def read_a_schedule(parse_schedule, given):
    def found():
        read = parse_schedule(given)
        return [read.rrule, read.prompt.rstrip()]

    return told(found)


def stop_reason_believed(run_loop, given):
    made, kept = [], []

    def reply_of(step):
        said = [TextBlock(text=step["text"])] if step["text"] else []
        uses = [ToolUseBlock(id=f"{step['id']}-{n}", name=name) for n, name in enumerate(step["tools"])]
        return Reply((*said, *uses), step["reason"])

    replies = iter(map(reply_of, given["steps"]))

    def act(call):
        made.append(call.name)
        return ToolResultBlock(tool_use_id=call.id, content=f"done {call.id}")

    messages = [user("go")]
    ended = told(
        lambda: (
            run_loop(
                messages,
                lambda _: next(replies),
                act,
                keep=lambda m: kept.append(m.role),
                limit=given["limit"],
            ).text
        )
    )
    return [ended, made, kept, [message.role for message in messages]]


def tool_of(given, made):
    remembers = given["remembers"]

    def run(key=None):
        made.append("made")
        return "made"

    asked = None if remembers == "nothing" else (lambda _key: given["outcome"])
    return Tool("send", "Send.", run, writes=given["writes"], outcome=asked, deferred=given["deferred"])


def done_again(settle, given):
    made = []
    registry = ToolRegistry([tool_of(given, made)] if given["known"] else [])
    name, values = ("execute_tool", {"name": "send", "input": {}}) if given["deferred"] else ("send", {})
    call = ToolUseBlock(id="c1", name=name, input=values)

    def found():
        result = settle(call, registry)
        text = result.content
        kinds = [word for word in ("unknown", "took effect") if result.is_error and word in text]
        return [result.tool_use_id, result.is_error, None if result.is_error else text, kinds]

    return [told(found), made]


def silence_is_consent(nobody, given):
    def found():
        verdict, _ = Permissions(ask=nobody).check(Asked(**given))
        return [verdict.decision.value, verdict.reason]

    return told(found)


def granted_elsewhere(holds, given):
    return told(lambda: holds(Grant(**given["grant"]), Asked(**given["asked"])))


def yes_becomes_always(grants, given):
    transcript = Transcript(transcript_path(Path.cwd(), "monday"), "monday")
    for event in given["events"]:
        transcript.append(Kind(event["kind"]), event["data"])

    def found():
        made = grants(transcript.read(), "monday")
        return sorted([each.session_id, each.agent, each.tool, each.pattern] for each in made)

    return told(found)


def newest_session(path_of, given):
    for name in given["sessions"]:
        folder = Path.cwd() / ".harness" / "sessions" / name
        folder.mkdir(parents=True)
        (folder / "transcript.jsonl").write_text("")
    return told(lambda: path_of(Path.cwd(), given["wanted"]).relative_to(Path.cwd()).as_posix())


def a_neighbour_is_inside(inside, given):
    room = Path.cwd() / "room"
    for name in ("room/notes", "room-2", "secret", "room/.harness", "room/.harness-notes"):
        Path(name).mkdir(parents=True)
    (room / "link").symlink_to(Path.cwd() / "room-2")

    def found():
        return inside(room, given["path"], own=given["own"]).relative_to(room.resolve()).as_posix()

    try:
        return {"returned": found()}
    except Exception as error:
        return {"raised": type(error).__name__}


def pointer_believed(read, given):
    outputs = Outputs(Path.cwd() / "outputs", limit=50)
    pointer = outputs.store(given["text"])
    if given["edit"]:
        path = Path.cwd() / pointer.path
        path.write_text(given["text"].replace(*given["edit"]))
    wanted = given["digest"] or pointer.digest
    return told(lambda: read(outputs, wanted, *given["part"]))


def cut_tail_holds(verify, given):
    def audited(name, session):
        log, anchor = AuditLog(Path.cwd() / name), None
        for number in range(given["count"]):
            log.append(Operation(operation_id=f"op{number}", session_id=session, stage="tool"))
            if number + 1 == given["anchored"]:
                anchor = log.anchor()
        log.sync()
        return log, anchor

    log, anchor = audited("audit.jsonl", "monday")
    if given["another"]:
        log, _ = audited("another.jsonl", "tuesday")
    lines = log.path.read_bytes().splitlines(keepends=True)[: given["left"]]
    data = b"".join(lines)
    log.path.write_bytes(data.replace(b'"op1"', b'"opX"') if given["edit"] else data)

    def found():
        report = verify(AuditLog(log.path), anchor=anchor)
        return [report.holds, [record.number for record in report.records]]

    return told(found)


def said_of(given):
    def block(ids, make):
        return [make(name) for name in ids]

    messages = []
    for kind, *ids in given:
        if kind == "user":
            messages.append(user("go on"))
        elif kind == "calls":
            uses = block(ids, lambda name: ToolUseBlock(id=name, name="list_files"))
            messages.append(assistant(*uses))
        elif kind == "results":
            done = block(ids, lambda name: ToolResultBlock(tool_use_id=name, content="x"))
            messages.append(results(done))
        else:
            messages.append(assistant("well"))
    return messages


def pair_cut(unit_starts, given):
    return told(lambda: list(unit_starts(said_of(given))))


def delivered_again(present_files, given):
    news, found = [], []
    with HarnessDatabase(Path.cwd() / "h.sqlite3", durable=False) as database:
        for step in given:
            for name, text in step["files"].items():
                Path(name).write_text(text)
            announce = lambda one: news.append([one.path, one.size])  # noqa: E731

            def act(step=step, announce=announce):
                made = present_files(Path.cwd(), step["paths"], step["session"], database, announce=announce)
                return [[one.path, one.size, one.new] for one in made]

            found.append(told(act))
    return [found, news]


def library_desk(answer, given):
    def shown(found):
        lines = []
        for session in found:
            messages = Transcript(
                transcript_path(Path.cwd() / "desk", session.session_id), session.session_id
            )
            said = messages.messages()
            called = [[call.name, call.input.get("book")] for each in said for call in each.tool_uses]
            done = [result.is_error for each in said for result in each.tool_results]
            lines.append([session.session_id, called, done])
        return lines

    return scene(answer, given, shown)


the_hint_of_a_stranger = adapt_a_tool

# %%
from forge.grading.stripped import changed, faulty, in_other_words, reference

STEM = "capstone_3_whole_harness"
DECIDE, HOLDS = "forge.harness.permissions:decide", "forge.harness.permissions:holds"
OPEN = "forge.harness.transcript:open_calls"
TITLES = ("find_book", "lend", "reserve", "shelf", "weather", "translate")
SERVERS = ("library", "archive", "club-2", "weather")
PROMPTS = ("Write the summary", "Look for  new mail", "Remind The Club", "Count:\nthe books")


def a_name(rng):
    return f"{rng.choice(TITLES)}_{rng.randrange(100, 999)}"


def text_part(text):
    return {"type": "text", "text": text}


# %%
def of_adapt_tool(rng):
    schema = {
        "type": "object",
        "properties": {"words": {"type": "string"}, "limit": {"type": "integer"}, "x": {}},
        "required": ["words"],
    }
    text = f"found {rng.randrange(1000, 9999)}"

    def case(entry=None, *, trusted=False, answer=None, given=None, server=None):
        name = a_name(rng)
        whole = {"name": name, "description": f"About {name}.", "inputSchema": schema, **(entry or {})}
        return {
            "server": server or rng.choice(SERVERS),
            "entry": whole,
            "trusted": trusted,
            "answer": answer or {"content": [text_part(text)]},
            "input": {"words": "green"} if given is None else given,
        }

    yield "a tool of a stranger is called", case()
    yield "a hint of a stranger counts for nothing", case({"annotations": {"readOnlyHint": True}})
    yield (
        "a hint of a trusted server counts",
        case({"annotations": {"readOnlyHint": True}}, trusted=True),
    )
    yield "a trusted server without a hint asks", case(trusted=True)
    yield (
        "a trusted server with another hint asks",
        case({"annotations": {"readOnlyHint": "yes"}}, trusted=True),
    )
    yield (
        "a trusted server with a number for a hint asks",
        case({"annotations": {"readOnlyHint": 1}}, trusted=True),
    )
    yield (
        "a hint that is false is one to ask",
        case({"annotations": {"readOnlyHint": False, "destructiveHint": False}}, trusted=True),
    )
    yield "a destructive hint is no other", case({"annotations": {"destructiveHint": True}})
    yield "annotations may be none", case({"annotations": None})
    yield "an optional field may be given", case(given={"words": "a", "limit": rng.randrange(9)})
    yield "a required field must be given", case(given={"limit": 2})
    yield "an integer is no text", case(given={"words": 3})
    yield "text is no integer", case(given={"words": "a", "limit": "3"})
    yield "a description may be missing", case({"description": None})
    bare = case()
    del bare["entry"]["inputSchema"], bare["entry"]["description"]
    yield "an entry may be a name alone", {**bare, "input": {}}
    yield "a schema may have no properties", {**case({"inputSchema": {"type": "object"}}), "input": {}}
    yield (
        "what is no text is named",
        case(answer={"content": [text_part(text), {"type": "image", "data": "AA"}]}),
    )
    yield "a failure is one", case(answer={"content": [text_part(text)], "isError": True})
    yield "a server has a plain name", case(server="Library")
    yield "a tool has a plain name", case({"name": "find it"})
    yield "two underlines belong between the names", case(server="a__b")


def of_extract(rng):
    n = rng.randrange(100, 999)
    svg = f'<svg width="{n}"></svg>'
    nested = f"<svg><SVG x='{n}'/><svg></svg>in</svg>"
    code = f"```python\nprint('{svg}')\n```\n"
    yield "one drawing", f"Look: {svg}."
    yield "two drawings", f"{svg} and <svg>{n}</svg> end"
    yield "three drawings", f"a {svg} b {svg} c {svg}"
    yield "a drawing in a drawing", f"{nested} after {svg}"
    yield "code is no drawing", f"So:\n{code}end"
    yield "code and then a drawing", f"So:\n{code}and {svg} end"
    yield "a drawing and then code", f"{svg}\n{code}end"
    yield "a fence of html", f"Here:\n```HTML\n<b>{n}</b>\n```\nend"
    yield "a fence of svg and one of code", f"```svg\n{svg}\n```\nthen\n{code}"
    yield "an unfinished drawing", f"one <svg> <b>{n}</b>"
    yield "an unfinished drawing and a finished one", f"one <svg> <b> {svg} three"
    yield "an unfinished fence", f"```html\n<b>{n}</b>"
    yield "an unfinished fence with a drawing in it", f"```html\n{svg}"
    yield "plain text", f"nothing to see {n}\n"
    yield "another element", f"<svgs>{n}</svgs> and {svg}"
    yield "empty text", ""


def of_schedule(rng):
    prompt = rng.choice(PROMPTS)
    clock = f"{rng.randrange(10, 24)}:{rng.randrange(10, 60)}"
    yield "hourly", f"hourly {prompt}"
    yield "daily", f"daily {clock} {prompt}"
    yield "daily with spaces and capitals", f"  DAILY   {clock}   {prompt}"
    yield "weekdays", f"weekdays {clock} {prompt}"
    yield "weekly", f"weekly fri,mon {clock} {prompt}"
    yield "weekly on one day", f"Weekly SU {clock} {prompt}"
    yield "monthly", f"monthly {rng.randrange(1, 29)} {clock} {prompt}"
    yield "monthly on the last day", f"monthly last {clock} {prompt}"
    yield "a rule", f"freq=weekly;byday=tu {prompt}"
    yield "a prompt with two spaces", f"daily {clock} Two  spaces; and MO,TU {clock}"
    yield "a prompt of two lines", f"daily {clock} one\ntwo"
    yield "a prompt that begins like a time", f"hourly {clock} {prompt}"
    yield "no rhythm", f"sometimes {clock} {prompt}"
    yield "a command is no rhythm", f"/schedule daily {clock} {prompt}"
    yield "no prompt", f"daily {clock}"
    yield "no prompt after spaces", "hourly   "
    yield "no time", f"daily {prompt}"
    yield "a day that not every month has", f"monthly 31 {clock} {prompt}"
    yield "nothing", ""


def of_run_loop(rng):
    text = f"answer {rng.randrange(1000, 9999)}"

    def case(*steps, limit=50):
        made = []
        for number, (tools, reason, *beside) in enumerate(steps):
            names = [tools] if isinstance(tools, str) else tools or []
            said = text if not names else beside[0] if beside else ""
            made.append({"id": f"c{number}", "tools": names, "reason": reason, "text": said})
        return {"steps": made, "limit": limit}

    tool = a_name(rng)
    yield "a text ends it", case((None, "end_turn"))
    yield "a text ends it whatever is said", case((None, "tool_use"), (None, "end_turn"))
    yield "a call goes on", case((tool, "tool_use"), (None, "end_turn"))
    yield "a call goes on whatever is said", case((tool, "end_turn"), (None, "end_turn"))
    yield "both contradict themselves", case((tool, "end_turn"), (None, "tool_use"))
    yield "two calls", case((tool, "stop"), (tool, "max_tokens"), (None, "end_turn"))
    yield "two calls in one reply", case(([tool, "other"], "tool_use"), (None, "end_turn"))
    yield "a text beside a call", case((tool, "end_turn", "I look."), (None, "end_turn"))
    yield "an unknown reason", case((tool, "banana"), (None, "banana"))
    yield "the limit is kept", case((tool, "tool_use"), (tool, "end_turn"), (tool, "end_turn"), limit=2)
    yield "the limit of one", case((tool, "end_turn"), (None, "end_turn"), limit=1)


def of_settle(rng):
    def case(writes=True, remembers="nothing", outcome=None, *, known=True, deferred=False):
        return {
            "writes": writes, "remembers": remembers, "outcome": outcome, "known": known, "deferred": deferred
        }  # fmt: skip

    text = f"sent {rng.randrange(1000, 9999)}"
    yield "what writes and remembers nothing stays open", case()
    yield "what reads may be called again", case(writes=False)
    yield "what is remembered is the result", case(remembers="it", outcome=text)
    yield "what is not remembered never took effect", case(remembers="it")
    yield "what reads and remembers is asked", case(writes=False, remembers="it", outcome=text)
    yield "a tool that is gone stays open", case(known=False)
    yield "a deferred tool stays open under its own name", case(deferred=True)
    yield "a deferred tool that remembers is asked", case(remembers="it", outcome=text, deferred=True)
    yield "a deferred tool that reads may be called again", case(writes=False, deferred=True)


def asked(rng, **more):
    base = {"session_id": "monday", "agent": "main", "tool": "write_file"}
    return {**base, "subject": f"notes/{rng.randrange(99)}.txt", "writes": True, "is_command": False, **more}


def of_nobody(rng):
    for subject in ("a.txt", "notes/b.md", "letter", "x/y.html"):
        yield "a file", asked(rng, subject=subject)
    yield "a command", asked(rng, tool="run_command", subject="ls", is_command=True)
    for subject in ("a.txt", "notes/b.md", "x"):
        yield "something that reads", asked(rng, tool="read_file", writes=False, subject=subject)
    yield "another agent", asked(rng, agent="helper")


def of_holds(rng):
    wanted = asked(rng)
    grant = {"session_id": "monday", "agent": "main", "tool": "write_file", "pattern": "notes/*"}

    def case(asked_for=wanted, **other):
        return {"grant": {**grant, **other}, "asked": asked_for}

    yield "all four fit", case()
    yield "a pattern for one file", case(pattern=wanted["subject"])
    yield "a pattern for everything", case(pattern="*")
    yield "another session", case(session_id=f"day-{rng.randrange(99)}")
    yield "another agent", case(agent="helper")
    yield "another tool", case(tool="remove_file")
    yield "another pattern", case(pattern="drafts/*")
    yield "another session and agent", case(session_id="sunday", agent="helper")
    command = asked(rng, tool="run_command", subject="git status; rm -rf .", is_command=True)
    yield "a command of two", case(command, tool="run_command", pattern="git *")
    yield "a command of two, word for word", case(command, tool="run_command", pattern=command["subject"])
    yield (
        "a command of two in another session",
        case(command, tool="run_command", pattern=command["subject"], session_id="sunday"),
    )
    simple = asked(rng, tool="run_command", subject="git status", is_command=True)
    yield "a simple command", case(simple, tool="run_command", pattern="git *")


def of_grants(rng):
    def answer(allowed=True, pattern="notes/*", **more):
        data = {"call_id": f"c{rng.randrange(999)}", "allowed": allowed, "pattern": pattern}
        data |= {"agent": "main", "tool": "write_file", "subject": f"notes/{rng.randrange(99)}.txt"}
        return {"kind": "approval", "data": {**data, **more}}

    opened = {"kind": "session_opened", "data": {"agent": "main", "task": "chat"}}
    yield "a grant", {"events": [opened, answer()]}
    yield "a yes without a pattern", {"events": [opened, answer(pattern=None)]}
    yield "a no with a pattern", {"events": [opened, answer(allowed=False)]}
    yield "a no without a pattern", {"events": [opened, answer(allowed=False, pattern=None)]}
    yield "two grants", {"events": [opened, answer(), answer(pattern="*.md", tool="remove_file")]}
    yield "a grant among others", {"events": [answer(pattern=None), answer(), answer(allowed=False), opened]}
    yield "a grant of another agent", {"events": [opened, answer(agent="helper")]}
    yield "nothing", {"events": [opened]}


def of_transcript_path(rng):
    old, new = f"a{rng.randrange(100, 999)}", f"z{rng.randrange(100, 999)}"

    def case(wanted, *sessions):
        return {"sessions": list(sessions), "wanted": wanted}

    yield "the first of two", case(old, old, new)
    yield "the second of two", case(new, old, new)
    yield "the one that was written last is another", case(old, new, old, "m1")
    yield "one that is not there yet", case("m2", old, new)
    yield "the only one", case(old, old)
    yield "in an empty folder", case(new)
    yield "one that begins another", case(old[:2], old, new)
    yield "a path is no id", case("../x", old)
    yield "nothing is no id", case("", old)


def of_inside(rng):
    name = f"n{rng.randrange(100, 999)}.txt"

    def case(path, *, own=False):
        return {"path": path, "own": own}

    for path in (name, f"notes/{name}", f"notes/../{name}", "."):
        yield "inside", case(path)
    for path in (
        f"../room-2/{name}",
        f"link/{name}",
        "..",
        f"../secret/{name}",
        f"notes/../../{name}",
        "link",
    ):
        yield "outside", case(path)
    yield "what is the harness's own", case(f".harness/{name}")
    yield "what is the harness's own, for itself", case(f".harness/{name}", own=True)
    yield "a neighbour of the harness's own", case(f".harness-notes/{name}")
    yield "no path", case(" ")


def of_read(rng):
    number = rng.randrange(1000, 9999)
    text = f"total: {number} books on {number} shelves"

    def case(part=(), *, edit=None, digest=None):
        return {"text": text, "part": list(part), "edit": edit, "digest": digest}

    yield "the beginning", case((0, 10))
    yield "a part", case((7, 4))
    yield "the end", case((len(text) - 3, 30))
    yield "behind the end", case((500, 5))
    yield "an edited file", case((0, 10), edit=[str(number), "9" + str(number)])
    yield "an edited end", case((0, 5), edit=["shelves", "boards!"])
    yield "an emptied file", case((0, 5), edit=[text, ""])
    yield "no such digest", case((0, 5), digest="0" * 64)
    yield "no digest", case((0, 5), digest="../x")
    yield "a part before the beginning", case((-1, 5))
    yield "a part of nothing", case((0, 0))


def of_verify(rng):
    count = rng.randrange(4, 7)

    def case(*, left=None, anchored=None, edit=False, another=False):
        left = count if left is None else left
        return {"count": count, "left": left, "anchored": anchored, "edit": edit, "another": another}

    yield "a whole log", case()
    yield "a whole log with its anchor", case(anchored=count)
    yield "a log that has grown since its anchor", case(anchored=2)
    yield "the last record is gone", case(left=count - 1, anchored=count)
    yield "two records are gone", case(left=count - 2, anchored=count)
    yield "everything is gone", case(left=0, anchored=count)
    yield "the last record is gone, and no anchor was kept", case(left=count - 1)
    yield "an older anchor does not miss what came later", case(left=count - 1, anchored=2)
    yield "a record was changed", case(edit=True)
    yield "a record was changed behind an anchor", case(edit=True, anchored=count)
    yield "another log of as many records", case(anchored=count, another=True)
    yield "another log, and no anchor was kept", case(another=True)


def of_unit_starts(rng):
    a, b, c = (f"{letter}{rng.randrange(999)}" for letter in "abc")
    pair = [["calls", a], ["results", a]]
    yield "no calls", [["user"], ["says"], ["user"]]
    yield "one pair", [["user"], *pair, ["says"]]
    yield "two pairs", [["user"], *pair, ["calls", b], ["results", b], ["says"]]
    yield "two calls with one message of results", [["user"], ["calls", a, b], ["results", a, b], ["says"]]
    yield (
        "two calls with two messages of results",
        [["user"], ["calls", a, b], ["results", a], ["results", b], ["says"], ["user"]],
    )
    yield "a message in between", [["user"], ["calls", a], ["user"], ["results", a], ["says"]]
    yield "a call that waits", [["user"], *pair, ["calls", c], ["user"], ["says"]]
    yield "nothing", []
    yield "a result alone", [["user"], ["results", a]]
    yield "a result that comes again", [["user"], *pair, ["results", a]]
    yield "a result before its call", [["results", b], ["calls", b]]


def of_present(rng):
    first, second = (f"text {rng.randrange(1000, 9999)}{end}" for end in ("", " more"))

    def step(text=first, *, paths=("report.md",), session="monday", **more):
        return {"files": {"report.md": text, **more}, "paths": list(paths), "session": session}

    yield "one file", [step()]
    yield "the same file again", [step(), step()]
    yield "another version", [step(), step(second)]
    yield "an older version again", [step(), step(second), step()]
    yield "another session", [step(), step(session="tuesday")]
    both = {"b.md": second, "paths": ("report.md", "b.md")}
    yield "two files, one of them known", [step(), step(**both)]
    yield "one file named twice", [step(paths=("report.md", "./report.md"))]
    yield "a file that is not there", [step(paths=("report.md", "none.md")), step()]


def of_library(rng):
    yield "forge as it is", {DECIDE: reference(DECIDE), HOLDS: reference(HOLDS), OPEN: reference(OPEN)}
    yield "forge with a decision in other words", {DECIDE: in_other_words(reference(DECIDE), rng)}
    yield "forge with open calls in other words", {OPEN: in_other_words(reference(OPEN), rng)}
    yield "a forge in which a grant outweighs a rule is noticed", faulty(STEM, "a_grant_outweighs")
    yield "a forge in which a grant holds on every day is noticed", faulty(STEM, "a_grant_for_every_day")
    yield "a forge that forgets open calls is noticed", faulty(STEM, "open_call_forgotten")
    everything = changed(DECIDE, "if asked.writes:", "if False:")
    yield "a forge in which nothing asks is noticed", everything
    yield (
        "a forge in which no grant holds is noticed",
        changed(HOLDS, "return own and covers", "return not own and covers"),
    )


# %%
PROBES = {
    "adapt_a_tool": of_adapt_tool,
    "the_hint_of_a_stranger": of_adapt_tool,
    "take_out_drawings": of_extract,
    "read_a_schedule": of_schedule,
    "stop_reason_believed": of_run_loop,
    "newest_session": of_transcript_path,
    "done_again": of_settle,
    "silence_is_consent": of_nobody,
    "granted_elsewhere": of_holds,
    "yes_becomes_always": of_grants,
    "a_neighbour_is_inside": of_inside,
    "pointer_believed": of_read,
    "cut_tail_holds": of_verify,
    "pair_cut": of_unit_starts,
    "delivered_again": of_present,
    "library_desk": of_library,
}
