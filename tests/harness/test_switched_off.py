"""What goes wrong without a mechanism: the same task with it and without it."""

import pytest

from forge.harness.connectors import MARK
from forge.harness.deferred import EXECUTE
from forge.harness.harness import Harness
from forge.harness.mock import MockProvider, calls, demo, echo, says
from forge.harness.tools import Tool


def talk(workspace, off, script, **options):
    """A session in which one message was sent and answered."""
    with Harness(workspace, "s1", MockProvider(script), off=off, **options) as harness:
        harness.send("go")
    return harness


def with_and_without(tmp_path, switch, measure):
    found = []
    for name, off in (("with", ()), ("without", {switch})):
        place = tmp_path / name
        place.mkdir()
        found.append(measure(place, off))
    return tuple(found)


def last_result(harness):
    return [result.content for message in harness.messages for result in message.tool_results][-1]


def test_without_permissions_a_file_is_written_that_nobody_consented_to(tmp_path):
    def measure(place, off):
        talk(place, off, [calls("c", "write_file", path="b.txt", text="x"), says("over")])
        return (place / "b.txt").exists()

    assert with_and_without(tmp_path, "permissions", measure) == (False, True)


def test_without_the_sandbox_a_rule_for_a_path_is_evaded_by_a_link(tmp_path):
    from forge.harness.permissions import Permissions, Rule

    def measure(place, off):
        (place / "secret").mkdir()
        (place / "secret" / "key").write_text("hidden")
        (place / "link").symlink_to("secret")
        rules = Permissions([Rule(decision="deny", pattern="secret/*")])
        harness = talk(
            place, off, [calls("c", "read_file", path="link/key"), says("over")], permissions=rules
        )
        return last_result(harness)

    guarded, open_ = with_and_without(tmp_path, "sandbox", measure)
    assert "a rule denies it" in guarded
    assert open_ == "hidden"


def test_without_externalisation_every_later_turn_carries_the_large_output(tmp_path):
    def measure(place, off):
        (place / "big.txt").write_text("0123456789" * 3000)
        harness = talk(place, off, [calls("c", "read_file", path="big.txt"), says("over")])
        return sum(len(result.content) for message in harness.messages for result in message.tool_results)

    small, large = with_and_without(tmp_path, "externalise", measure)
    assert small < 1_000 < large == 30_000


def test_without_routing_a_title_costs_what_a_plan_costs(tmp_path):
    def measure(place, off):
        harness = talk(place, off, echo, task="title")
        return harness.audit.read()[0].operation.cost

    lite, craft = with_and_without(tmp_path, "routing", measure)
    assert craft > 10 * lite > 0


def test_without_deferral_every_request_describes_every_tool(tmp_path):
    def measure(place, off):
        told = []

        def script(request, _number):
            told.append(len(request.tools))
            return says("over")

        many = [Tool(f"tool_{n}", "Does something.", lambda: "", deferred=True) for n in range(40)]
        talk(place, off, script, extra_tools=many)
        return told[0]

    few, all_ = with_and_without(tmp_path, "deferred", measure)
    assert all_ > 40 > few


def test_without_the_transcript_nothing_is_left_to_go_on_with(tmp_path):
    def measure(place, off):
        talk(place, off, echo)
        with Harness(place, "s1", MockProvider(echo), off=off) as again:
            return len(again.messages)

    assert with_and_without(tmp_path, "transcript", measure) == (2, 0)


def test_without_the_audit_log_nobody_can_say_what_was_done(tmp_path):
    def measure(place, off):
        harness = talk(place, off, [calls("c", "list_files"), says("over")])
        return len(harness.audit.read())

    assert with_and_without(tmp_path, "audit", measure) == (3, 0)


def test_without_connectors_the_tools_of_a_server_cannot_be_found(tmp_path):
    def measure(place, off):
        tool = Tool(f"library{MARK}find_book", "Find a book.", lambda: "found", deferred=True)
        script = [
            calls("c1", "search_tools", query="book"),
            calls("c2", EXECUTE, name=tool.name, input={}),
            says("over"),
        ]
        harness = talk(place, off, script, extra_tools=[tool])
        return last_result(harness)

    found, lost = with_and_without(tmp_path, "connectors", measure)
    assert found == "found"
    assert "search first" in lost


def test_without_compaction_the_view_outgrows_its_limit(tmp_path):
    def measure(place, off):
        with Harness(place, "s1", MockProvider(echo), off=off) as harness:
            harness.working._limit, harness.working._compact_at = 1_000, 800
            for number in range(30):
                harness.send(f"message {number} about the harbour, the ferry and the bridge " * 2)
            return harness.working._tokens

    held, grown = with_and_without(tmp_path, "compaction", measure)
    assert held < 1_000 < grown


@pytest.mark.parametrize("switch", ["visualiser", "presentation", "skills", "experts", "database", "tools"])
def test_without_one_of_the_others_the_session_lacks_just_that(tmp_path, switch):
    from forge.harness.experts import OWN_EXPERTS, load_expert
    from forge.harness.skills import OWN_SKILLS, Skills

    def measure(place, off):
        expert = load_expert(OWN_EXPERTS / "librarian") if switch == "experts" else None
        with Harness(
            place, "s1", MockProvider(demo), off=off, skills=Skills(OWN_SKILLS), expert=expert
        ) as harness:
            harness.send("draw")
            return {
                "visualiser": len(harness.figures),
                "presentation": int(harness.registry.get("present_files") is not None),
                "skills": int(harness.registry.get("load_skill") is not None),
                "experts": int(harness.agent == "librarian"),
                "database": int(harness.database is not None),
                "tools": int(harness.registry.get("list_files") is not None),
            }[switch]

    assert with_and_without(tmp_path, switch, measure) == (1, 0)
