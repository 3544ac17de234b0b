"""The table of the 24 mechanisms: where each stands, what shows it, and what goes wrong without it.

A harness is one loop and what stands around it. `switch` is the name under which a mechanism is switched off;
the loop has none, for without it there is no harness, and the whole has none, for it is all of them. Whether
there are processes is up to whoever opens a session: a `Harness` itself runs where it is, and `MainProcess`
puts it into a child.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from ..errors import InvalidValue
from ..wording import show


class Mechanism(NamedTuple):
    """One row. `module` stands in `forge.harness`, `test` in `tests/harness`: a file and a test in it."""

    number: int
    title: str
    group: str
    module: str
    switch: str
    demonstrated_by: str
    ablation: str
    test: str


_TOOLS, _PROCESS, _KEEPING, _MEMORY = "tools", "processes", "persistence", "memory"
_CONTEXT, _SAFETY, _SHOWING = "context", "safety", "interaction"

MECHANISMS: tuple[Mechanism, ...] = (
    Mechanism(1, "agent loop", "loop", "loop", "",
              "a turn whose stop reason contradicts its blocks goes on by its blocks",
              "driven by the stop reason, the first tool call is dropped and the task ends unfinished",
              "test_loop.py::test_a_turn_whose_stop_reason_contradicts_its_blocks_is_judged_by_its_blocks"),
    Mechanism(2, "tool dispatch", _TOOLS, "tools", "tools",
              "list_files is found by its name, its input checked, its error a result",
              "every call is answered that no tool has this name",
              "test_tools.py::test_a_tool_is_added_without_a_change_to_anything_else"),
    Mechanism(3, "deferred tools", _TOOLS, "deferred", "deferred",
              "search_tools finds run_command, execute_tool calls it",
              "every tool is described in every request, and each turn pays for all of them",
              "test_tools.py::test_a_tool_is_executed_only_after_a_search_has_found_it"),
    Mechanism(4, "permissions", _SAFETY, "permissions", "permissions",
              "write_file asks, nobody answers, nothing is written",
              "the file is written though nobody consented",
              "test_permissions.py::test_a_denial_wins_whatever_else_is_said_and_in_whatever_order"),
    Mechanism(5, "main process", _PROCESS, "main_process", "main_process",
              "the main process asks its sidecar, and starts it anew when it is gone",
              "an agent that hangs holds up whoever looks at it",
              "test_processes.py::test_the_sidecar_is_another_process_and_answers"),
    Mechanism(6, "sidecar", _PROCESS, "sidecar", "sidecar",
              "JSON-RPC over a Unix socket; a renderer that was away catches up from the ring buffer",
              "what was said while nobody looked is lost",
              "test_processes.py::test_what_a_session_says_is_in_the_ring_buffer_up_to_its_capacity"),
    Mechanism(7, "sessions", _PROCESS, "sessions", "sessions",
              "each session is a child process; one that is killed takes no other along",
              "one session that dies ends all of them",
              "test_processes.py::test_a_child_that_is_killed_takes_only_its_own_session_along_and_is_gone_on_with"),
    Mechanism(8, "model routing", _PROCESS, "routing", "routing",
              "a title goes to the lite model, a plan to craft",
              "a greeting costs what a plan costs: everything goes to craft",
              "test_routing.py::test_a_task_goes_to_the_tier_of_its_kind"),
    Mechanism(9, "JSONL transcript", _KEEPING, "transcript", "transcript",
              "the session is gone on with from its lines",
              "after a restart the conversation is empty, and a call may be made twice",
              "test_transcript.py::test_messages_come_back_as_they_were_said"),
    Mechanism(10, "workspace memory", _MEMORY, "workspace_memory", "workspace_memory",
              "a fact of the project is in the prompt of the next session",
              "the next session does not know what the last one was told",
              "test_scoped_memory.py::test_two_workspaces_and_a_user_of_one_name_do_not_see_each_other"),
    Mechanism(11, "user memory", _MEMORY, "user_memory", "user_memory",
              "a preference holds in every workspace",
              "a preference has to be said again in each workspace",
              "test_scoped_memory.py::test_a_preference_that_changes_replaces_the_older_one"),
    Mechanism(12, "remote memory", _MEMORY, "remote_memory", "remote_memory",
              "a fact written once is recalled by its words, with source, score and rank",
              "what is too much for the prompt is out of reach",
              "test_remote_memory.py::test_processes_that_write_the_same_facts_write_each_once"),
    Mechanism(13, "output externalisation", _CONTEXT, "externalise", "externalise",
              "a large file leaves its beginning and a pointer to the whole",
              "one large output fills the context, in this turn and in every later one",
              "test_externalise.py::test_a_long_output_leaves_a_pointer_by_which_every_character_is_found"),
    Mechanism(14, "context compaction", _CONTEXT, "compaction", "compaction",
              "four layers make the view smaller; orders and proof stay word for word",
              "the view grows until the provider refuses it",
              "test_compaction.py::test_no_conversation_loses_what_binds_splits_a_pair_or_invents_an_approval"),
    Mechanism(15, "prompt assembly", _MEMORY, "prompt", "prompt",
              "parts with source, standing and budget; memories are quoted and not obeyed",
              "the model is told neither what is remembered nor what it must not obey",
              "test_prompt.py::test_no_text_can_end_its_quotation_or_stand_outside_of_it"),
    Mechanism(16, "skills", _TOOLS, "skills", "skills",
              "the catalogue has a line for each; load_skill gives the one that is needed",
              "the model improvises what was written down",
              "test_packages.py::test_a_skill_is_loaded_on_demand_with_the_names_of_its_files"),
    Mechanism(17, "MCP connectors", _TOOLS, "connectors", "connectors",
              "a real server lists its tools and is called over standard input and output",
              "the library's tools cannot be found",
              "test_packages.py::test_a_real_server_lists_its_tools_with_their_fields"),
    Mechanism(18, "experts", _TOOLS, "experts", "experts",
              "the librarian brings prompt, memory and a tier, and only three tools",
              "the session has every tool and none of the expert's knowledge",
              "test_packages.py::test_an_expert_takes_tools_away_and_adds_none"),
    Mechanism(19, "visualiser", _SHOWING, "visualiser", "visualiser",
              "a picture in a reply is shown, made harmless and framed",
              "the reply shows the picture's source",
              "test_showing.py::test_no_script_no_handler_and_no_address_is_left"),
    Mechanism(20, "result presentation", _SHOWING, "presentation", "presentation",
              "finished files are handed over with their digests, each version once",
              "the user has to look for what was made",
              "test_showing.py::test_what_was_delivered_is_not_announced_again_after_a_restart"),
    Mechanism(21, "SQLite database", _KEEPING, "sqlite_database", "database",
              "seven tables; usage by model and by tool",
              "nobody can say what the session has cost",
              "test_harness.py::test_the_usage_of_models_and_tools_is_counted"),
    Mechanism(22, "scheduler", _KEEPING, "scheduler", "scheduler",
              "what was missed runs once and says how many it stands for",
              "nothing runs until somebody remembers to ask",
              "test_scheduler.py::test_what_was_missed_is_run_once_and_says_how_many_it_stands_for"),
    Mechanism(23, "audit and sandbox", _SAFETY, "audit", "audit",
              "every operation is chained; a path out of the workspace is blocked",
              "nobody can say what was done, or a tool reads what is not its business",
              "test_audit.py::test_an_edited_record_is_found_and_the_records_before_it_still_hold"),
    Mechanism(24, "the whole", "whole", "harness", "",
              "one session with every mechanism in its place, gone on with after a kill",
              "each of the rows above is what is missing from it",
              "test_harness.py::test_a_call_whose_effect_was_done_and_whose_record_is_missing_is_not_done_again"),
)  # fmt: skip
"""All of them, by number."""

SWITCHES = frozenset({mechanism.switch for mechanism in MECHANISMS if mechanism.switch} | {"sandbox"})
"""What can be switched off. Mechanism 23 has two switches: audit and sandbox."""


def require_switches(off: Collection[str]) -> None:
    """Refuse the name of a switch that there is not: a misspelt one would switch nothing off."""
    unknown = sorted(set(off) - SWITCHES)
    if unknown:
        known = ", ".join(sorted(SWITCHES))
        raise InvalidValue("no mechanism has this switch", f"found {show(unknown[0])}; there are: {known}.")


def table() -> str:
    """The mechanisms as a table of text, a row each."""
    head = ("no.", "mechanism", "group", "module", "demonstrated by", "without it", "test")
    rows = [head, *((str(m.number), *m[1:4], *m[5:]) for m in MECHANISMS)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    return "\n".join(lines)
