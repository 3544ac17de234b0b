"""Mechanisms 16 to 18: skills, connectors and experts."""

import asyncio
import io
import os
import signal
import sys

import pytest

from forge.errors import HarnessError, InvalidValue, OutsideWorkspace, PeerLost
from forge.harness.connectors import Connector
from forge.harness.experts import OWN_EXPERTS, list_experts, load_expert
from forge.harness.harness import Harness
from forge.harness.loop_thread import LoopThread
from forge.harness.mcp_tools import adapt_tool
from forge.harness.mock import MockProvider, calls, says
from forge.harness.permissions import Answer, Permissions
from forge.harness.routing import Tier
from forge.harness.skills import OWN_SKILLS, Skills
from forge.harness.tools import Tool, ToolRegistry

SKILL = "---\nname: brew\ndescription: Brew tea.\n---\nHeat water to 90 degrees.\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "brew").mkdir()
    (tmp_path / "brew" / "SKILL.md").write_text(SKILL)
    (tmp_path / "brew" / "times.txt").write_text("green: 2 minutes")
    return tmp_path


def test_a_catalogue_names_every_skill_in_one_line_and_says_nothing_of_what_to_do(folder):
    assert Skills(folder).catalogue() == "brew: Brew tea."


def test_a_skill_is_loaded_on_demand_with_the_names_of_its_files(folder):
    skills = Skills(folder)
    (folder / "brew" / "SKILL.md").write_text(SKILL.replace("90", "80"))
    assert skills.load("brew") == "Heat water to 80 degrees.\n\nFiles: times.txt"
    assert skills.read("brew", "times.txt") == "green: 2 minutes"


def test_a_skill_reaches_no_file_outside_its_folder(folder):
    (folder / "secret.txt").write_text("x")
    (folder / "brew" / "link").symlink_to("../secret.txt")
    for path in ("../secret.txt", "link", "/etc/passwd"):
        with pytest.raises(OutsideWorkspace):
            Skills(folder).read("brew", path)


def test_an_unknown_skill_and_a_missing_file_are_told(folder):
    with pytest.raises(InvalidValue, match="there are: brew"):
        Skills(folder).load("../brew")
    with pytest.raises(InvalidValue, match="cannot be read"):
        Skills(folder).read("brew", "none")


@pytest.mark.parametrize(
    "text",
    [
        "no head",
        "---\nname: x\n---\n",
        "---\nname: [\n---\n",
        "---\n- a\n---\n",
        "---\nname: x\ndescription: 'a\n\n  b'\n---\n",
        "---\nname: ''\ndescription: a\n---\n",
    ],
)
def test_a_skill_without_a_right_head_is_refused_by_its_file(folder, text):
    (folder / "brew" / "SKILL.md").write_text(text)
    with pytest.raises(InvalidValue, match=r"SKILL\.md"):
        Skills(folder)


def test_of_two_skills_of_one_name_the_first_folder_counts(folder, tmp_path):
    other = tmp_path / "other" / "brew"
    other.mkdir(parents=True)
    (other / "SKILL.md").write_text(SKILL.replace("tea", "coffee"))
    assert Skills(folder, tmp_path / "other").catalogue() == "brew: Brew tea."
    assert Skills(tmp_path / "nowhere").catalogue() == ""


def test_the_skills_of_forge_can_all_be_loaded(tmp_path):
    skills = Skills(OWN_SKILLS)
    assert len(skills) == 2
    harness = Harness(
        tmp_path,
        "s1",
        MockProvider([calls("c", "load_skill", name="weekly-report"), says("ok")]),
        extra_tools=skills.tools(),
    )
    harness.send("go")
    assert "template.md" in harness.messages[2].tool_results[0].content


@pytest.fixture(scope="module")
def library():
    with Connector("library") as connector:
        yield connector


def test_a_real_server_lists_its_tools_with_their_fields(library):
    told = {tool["name"]: tool for tool in library.list_tools()}
    assert set(told) == {"find_book", "reserve_book"}
    assert set(told["reserve_book"]["inputSchema"]["required"]) == {"title", "reader"}


def test_a_real_server_is_called_and_its_errors_come_as_errors(library):
    assert library.call("find_book", {"title": "秋天"}) == "秋天的来信: 1 in"
    with pytest.raises(HarnessError, match=r"the server says that the call failed.*no copy"):
        library.call("reserve_book", {"title": "Nine Bridges", "reader": "Ann"})


def test_a_server_starts_where_stderr_is_no_file(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with Connector("library") as connector:
        assert connector.call("find_book", {"title": "harbour"}) == "The Quiet Harbour: 2 in"


def test_a_tool_of_a_server_asks_unless_it_is_known_to_read(library):
    tools = {tool.name: tool for tool in library.tools(reads={"find_book"})}
    assert set(tools) == {"library__find_book", "library__reserve_book"}
    assert not tools["library__find_book"].writes
    assert tools["library__reserve_book"].writes
    assert all(tool.writes for tool in library.tools())


def test_a_session_searches_for_a_tool_of_a_server_and_then_executes_it(library, tmp_path):
    script = [
        calls("c1", "search_tools", query="book copies"),
        calls("c2", "execute_tool", name="library__find_book", input={"title": "harbour"}),
        calls("c3", "search_tools", query="reserve"),
        calls(
            "c4",
            "execute_tool",
            name="library__reserve_book",
            input={"title": "The Quiet Harbour", "reader": "Ann"},
        ),
        says("over"),
    ]
    harness = Harness(tmp_path, "s1", MockProvider(script), extra_tools=library.tools(reads={"find_book"}))
    harness.send("go")
    results = [result for message in harness.messages for result in message.tool_results]
    assert results[1].content == "The Quiet Harbour: 2 in"
    assert "not permitted" in results[3].content
    assert library.call("find_book", {"title": "harbour"}) == "The Quiet Harbour: 2 in"
    consent = Permissions(ask=lambda _: Answer(allowed=True))
    again = Harness(
        tmp_path, "s2", MockProvider(script[2:]), permissions=consent, extra_tools=library.tools()
    )
    again.send("go")
    assert "reserved for Ann" in again.messages[4].tool_results[0].content


def test_a_wrong_input_is_refused_before_it_is_sent(library):
    registry = ToolRegistry(library.tools())
    from forge.harness.messages import ToolUseBlock

    result = registry.dispatch(ToolUseBlock(id="c", name="library__find_book", input={"titel": "x"}))
    assert "expected one of the fields title" in result.content


def test_what_a_server_says_of_a_tool_becomes_a_tool_of_ours():
    def call(tool, given):
        return {"content": [{"type": "text", "text": f"{tool} {given}"}]}

    schema = {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {}, "c": {"type": ["string", "null"]}},
        "required": ["a"],
    }
    tool = adapt_tool("x", {"name": "t", "description": "d", "inputSchema": schema}, call)
    assert (tool.name, tool.writes, tool.deferred, tool.optional) == ("x__t", True, True, {"b", "c"})
    assert tool.describe()["input_schema"] == schema
    assert tool.run(a=1) == "t {'a': 1}"
    tool.check({"a": 1, "b": True, "c": None})


def test_a_server_that_does_not_start_or_dies_is_told():
    with pytest.raises(PeerLost, match="the server broken did not start"):
        Connector("broken", [sys.executable, "-c", "raise SystemExit(3)"], seconds=10)
    with pytest.raises(PeerLost, match="did not start"):
        Connector("missing", ["/no/such/program"], seconds=10)


def test_coroutines_run_beside_a_loop_that_is_already_running():
    async def answer():
        await asyncio.sleep(0)
        return 42

    async def cell():  # a notebook cell runs inside the kernel's own loop
        with LoopThread() as thread:
            return thread.run(answer())

    assert asyncio.run(cell()) == 42


def test_a_loop_thread_waits_no_longer_than_it_should_and_says_when_it_is_closed():
    thread = LoopThread()
    with pytest.raises(PeerLost, match="no answer in time"):
        thread.run(asyncio.sleep(60), 0.01)
    thread.close()
    thread.close()
    with pytest.raises(PeerLost, match="ended"):
        thread.run(asyncio.sleep(0))


def expert(tmp_path, **change):
    import yaml

    described = {
        "name": "cook",
        "description": "Cooks.",
        "tools": ["read_file"],
        "memory": ["Salt is finished."],
        **change,
    }
    (tmp_path / "expert.yaml").write_text(yaml.safe_dump(described))
    (tmp_path / "PROMPT.md").write_text("You cook.\n")
    return tmp_path


def test_an_expert_is_loaded_whole_prompt_tools_memory_and_tier(tmp_path):
    made = load_expert(expert(tmp_path, tier="craft"))
    assert (made.name, made.tools, made.tier) == ("cook", ("read_file",), Tier.CRAFT)
    assert (made.prompt, made.memory) == ("You cook.", ("Salt is finished.",))


def test_an_expert_takes_tools_away_and_adds_none(tmp_path):
    registry = ToolRegistry(
        [Tool("read_file", "", lambda: ""), Tool("write_file", "", lambda: "", writes=True)]
    )
    assert [tool.name for tool in load_expert(expert(tmp_path)).registry(registry)] == ["read_file"]
    with pytest.raises(InvalidValue, match="found 'launch'"):
        load_expert(expert(tmp_path, tools=["launch"])).registry(registry)


@pytest.mark.parametrize("change", [{"tier": "huge"}, {"name": ""}, {"extra": 1}, {"tools": [1]}])
def test_an_expert_that_is_not_well_formed_is_refused(tmp_path, change):
    with pytest.raises(InvalidValue):
        load_expert(expert(tmp_path, **change))


@pytest.mark.parametrize("missing", ["expert.yaml", "PROMPT.md"])
def test_an_expert_without_one_of_its_files_is_refused(tmp_path, missing):
    (expert(tmp_path) / missing).unlink()
    with pytest.raises(InvalidValue, match="cannot be read"):
        load_expert(tmp_path)


def test_the_experts_of_forge_fit_a_session(tmp_path):
    harness = Harness(tmp_path, "s1", MockProvider([]))
    experts = list_experts(OWN_EXPERTS)
    assert [one.name for one in experts] == ["librarian"]
    assert len(experts[0].registry(harness.registry)) == 3


def test_a_server_that_is_killed_is_told_by_the_next_call(tmp_path):
    script = (
        "import os, sys; from forge.harness.mcp_server import server\n"
        "open(sys.argv[1], 'w').write(str(os.getpid())); server().run('stdio')"
    )
    pid = tmp_path / "pid"
    with Connector("library", [sys.executable, "-c", script, str(pid)], seconds=60) as connector:
        os.kill(int(pid.read_text()), signal.SIGKILL)
        with pytest.raises(PeerLost):
            connector.call("find_book", {"title": "x"})
