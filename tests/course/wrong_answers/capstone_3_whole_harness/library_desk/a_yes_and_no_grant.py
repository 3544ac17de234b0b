# The person says yes each time, and grants nothing from then on.
from forge.harness.harness import Harness
from forge.harness.messages import ToolUseBlock, assistant, user
from forge.harness.mock import MockProvider, calls, says
from forge.harness.permissions import Answer, Permissions, Rule
from forge.harness.tools import Tool
from forge.harness.transcript import Transcript, transcript_path


def library_desk(folder):
    """Three days at the desk of a library, checked; return the three sessions."""
    lent = []

    def lend(book):
        lent.append(book)
        return f"lent: {book}"

    tool = Tool("lend", "Lend a book.", lend, {"book": "string"}, writes=True, subject="book")

    permissions = Permissions(
        [Rule(decision="deny", tool="lend", pattern="rare/*")],
        ask=lambda asked: Answer(allowed=asked.session_id == "monday"),
    )

    def day(name, *replies):
        provider = MockProvider(replies)
        return Harness(folder / "desk", name, provider, permissions=permissions, extra_tools=[tool])

    def told(harness):
        return [result.content for each in harness.messages for result in each.tool_results]

    blue, atlas = (
        calls("c1", "lend", book="novels/blue"),
        calls("c2", "lend", book="rare/atlas"),
    )
    monday = day("monday", blue, atlas, says("One of them."))
    monday.send("The blue one and the atlas.")

    red = calls("c1", "lend", book="novels/red")
    tuesday = day("tuesday", red, says("Not today."))
    tuesday.send("The red one.")

    transcript = Transcript(transcript_path(folder / "desk", "wednesday"), "wednesday")
    transcript.append_message(user("The green one."))
    call = ToolUseBlock(id="c1", name="lend", input={"book": "novels/green"})
    transcript.append_message(assistant(call))
    wednesday = day("wednesday")
    assert lent == ["novels/blue"], lent
    assert len(told(wednesday)) == 1 and "unknown" in told(wednesday)[0]
    for each in (monday, tuesday, wednesday):
        each.close()
    return [monday, tuesday, wednesday]
