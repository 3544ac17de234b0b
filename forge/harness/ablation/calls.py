"""The tasks of the board that are about what stands before and after a call: tools, safety, deliveries."""

from __future__ import annotations

from pathlib import Path

from ..connectors import Connector
from ..experts import OWN_EXPERTS, load_expert
from ..mock import calls, says
from ..permissions import Decision, Permissions, Rule
from ..skills import OWN_SKILLS, Skills
from ..tools import Tool
from .runs import Off, Outcome, Session, count


def tools(folder: Path, off: Off) -> Outcome:
    """List the files of the workspace."""
    (folder / "notes.txt").write_text("one note", encoding="utf-8")
    session = Session(folder, off, calls("c1", "list_files")).send("Which files are there?")
    return session.outcome(session.result == "notes.txt", session.answer)


def deferred(folder: Path, off: Off) -> Outcome:
    """Ask with forty more tools in the registry."""
    more = [Tool(f"tool_{n}", "One of many.", lambda: "", deferred=True) for n in range(40)]
    session = Session(folder, off, extra_tools=more).send("Hello")
    told = len(session.requests[0].tools)
    return session.outcome(told < len(more), f"{count(told, 'tool')} described in each request")


def permissions(folder: Path, off: Off) -> Outcome:
    """Write a file while nobody is there to ask."""
    write = calls("c1", "write_file", path="notes.txt", text="new")
    session = Session(folder, off, write).send("Write it down.")
    written = (folder / "notes.txt").exists()
    return session.outcome(not written, "written, and nobody consented" if written else session.answer)


def safety(folder: Path, off: Off) -> Outcome:
    """Read a file that a rule denies, by way of a link."""
    (folder / "secret").mkdir()
    (folder / "secret" / "key.txt").write_text("4711", encoding="utf-8")
    (folder / "link").symlink_to("secret")
    rules = Permissions([Rule(decision=Decision.DENY, pattern="secret/*")])
    session = Session(folder, off, calls("c1", "read_file", path="link/key.txt"), permissions=rules).send()
    records = len(session.harness.audit.read())
    leaked = "4711" in session.result
    seen = "the key was read" if leaked else session.answer
    return session.outcome(not leaked and records > 0, f"{seen}; {count(records, 'operation')} on record")


def skills(folder: Path, off: Off) -> Outcome:
    """Write the weekly report as it was agreed."""
    load = calls("c1", "load_skill", name="weekly-report")
    session = Session(folder, off, load, skills=Skills(OWN_SKILLS)).send("The weekly report, please.")
    loaded = "template.md" in session.result
    return session.outcome(loaded, "the skill was loaded" if loaded else session.answer)


def connectors(folder: Path, off: Off) -> Outcome:
    """Find a tool of another program, and ask it."""
    steps = [calls("c1", "search_tools", query="book copies"), calls(
        "c2", "execute_tool", name="library__find_book", input={"title": "harbour"})]  # fmt: skip
    with Connector("library") as library:
        tools = library.tools(reads={"find_book"})
        session = Session(folder, off, *steps, extra_tools=tools).send("Is the harbour book in?")
        return session.outcome("2 in" in session.result, session.answer)


def experts(folder: Path, off: Off) -> Outcome:
    """Let the librarian answer, who may only read."""
    session = Session(folder, off, expert=load_expert(OWN_EXPERTS / "librarian")).send("Which book next?")
    writing = [tool.name for tool in session.harness.registry if tool.writes]
    known = "librarian" in session.requests[0].system.lower()
    seen = f"{count(writing, 'writing tool')}, {'the' if known else 'no'} librarian in the prompt"
    return session.outcome(known and not writing, seen)


def visualiser(folder: Path, off: Off) -> Outcome:
    """Draw something."""
    picture = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="4"/></svg>'
    session = Session(folder, off, says(f"Here: {picture}")).send("Draw it.")
    figures = session.harness.figures
    return session.outcome(bool(figures), f"{count(figures, 'picture')} to show")


def presentation(folder: Path, off: Off) -> Outcome:
    """Hand over a finished report."""
    (folder / "report.md").write_text("All is well.", encoding="utf-8")
    session = Session(folder, off, calls("c1", "present_files", paths=["report.md"])).send("The report?")
    handed = '"new": true' in session.result
    return session.outcome(handed, "report.md was handed over" if handed else session.answer)
