# On Wednesday the book is asked for again.
from forge.harness.harness import Harness
from forge.harness.messages import ToolUseBlock
from forge.harness.mock import MockProvider, calls, says
from forge.harness.permissions import Answer, Permissions, Rule
from forge.harness.tools import Tool


def library_desk(folder):
    """Three days at the desk of a library, checked; return the three sessions."""
    lent = []

    def lend(book):
        lent.append(book)
        return f"lent: {book}"

    tool = Tool("lend", "Lend a book.", lend, {"book": "string"}, writes=True, subject="book")

    permissions = Permissions(
        [Rule(decision="deny", tool="lend", pattern="rare/*")],
        ask=lambda asked: Answer(allowed=asked.session_id == "monday", pattern="*"),
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
    assert lent == ["novels/blue"]

    red = calls("c1", "lend", book="novels/red")
    tuesday = day("tuesday", red, says("Not today."))
    tuesday.send("The red one.")
    assert lent == ["novels/blue"]

    call = ToolUseBlock(id="c1", name="lend", input={"book": "novels/green"})
    wednesday = day("wednesday", calls("c1", "lend", book="novels/green"), says("No."))
    wednesday.send("The green one.")
    assert lent == ["novels/blue"]
    assert "nobody consented" in told(wednesday)[-1]
    for each in (monday, tuesday, wednesday):
        each.close()
    return [monday, tuesday, wednesday]
