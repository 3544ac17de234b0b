"""Mechanisms 19 and 20: pictures and deliveries."""

import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.errors import InvalidValue, OutsideWorkspace
from forge.harness.presentation import present_files, presenting_tool
from forge.harness.sqlite_database import HarnessDatabase
from forge.harness.visualiser import POLICY, extract, harmless, sanitise

BAR = '<svg viewBox="0 0 10 10"><title>One bar</title><rect x="1" width="3" height="9" fill="#147"/></svg>'


def test_a_picture_is_found_between_the_words_around_it():
    [figure] = extract(f"Here it is: {BAR} And that was it.")
    assert (figure.kind, figure.label) == ("svg", "One bar")
    assert 'viewBox="0 0 10 10"' in figure.source
    assert "Here" not in figure.source


def test_every_picture_is_found_in_order_and_none_twice():
    table = "```html\n<table><tr><td>a</td></tr></table>\n```"
    text = f"{BAR}\n{table}\n```svg\n{BAR}\n```\n{BAR.upper()}"
    assert [figure.kind for figure in extract(text)] == ["svg", "html", "svg", "svg"]


@pytest.mark.parametrize(
    "text", ["", "no picture", "```python\n<svg></svg\n```", "<svg> that never ends", "```html\n\n```"]
)
def test_where_there_is_no_picture_none_is_shown(text):
    assert extract(text) == []


ATTACKS = [
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><rect onclick='x()'/></svg>",
    "<svg><a href='javascript:alert(1)'><text>x</text></a></svg>",
    "<svg><use href='https://evil.example/x.svg#a'/></svg>",
    "<svg><use xlink:href='data:image/svg+xml;base64,AAAA'/></svg>",
    "<svg><foreignObject><iframe src='//evil.example'></iframe></foreignObject></svg>",
    "<svg><style>@import url(//evil.example/x.css)</style></svg>",
    "<svg><rect fill='url(https://evil.example/x)'/></svg>",
    "<svg><animate attributeName='href' to='javascript:alert(1)'/><set to='x'/></svg>",
    "<div style='background:url(//evil.example)'>x</div>",
    "<form action='//evil.example'><input name=a><button>go</button></form>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<base href='//evil.example'><link rel=stylesheet href='//evil.example'>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<svg><script>alert(1)</svg>",
    "<p title='\"><script>alert(1)</script>'>x</p>",
    "<![CDATA[<script>alert(1)</script>]]><!--><script>alert(1)</script>-->",
    "<svg><rect fill='u\nrl(//evil.example)'/></svg>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<object data='//evil.example'></object><embed src='//evil.example'>",
    "<a href='vbscript:x'>x</a><svg><a href='#ok'>y</a></svg>",
]


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.attributes = set(), []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs


def read(source):
    reader = Reader()
    reader.feed(source)
    reader.close()
    return reader


FORBIDDEN = {
    "script",
    "style",
    "iframe",
    "img",
    "a",
    "form",
    "input",
    "button",
    "meta",
    "base",
    "link",
    "object",
    "embed",
    "foreignobject",
    "animate",
    "set",
    "math",
    "template",
}


def is_harmless(source):
    found = read(source)
    leads_out = [
        (key, value)
        for key, value in found.attributes
        if key.startswith("on")
        or key == "style"
        or (key != "title" and re.search("evil|script", value or ""))
    ]
    return not (found.tags & FORBIDDEN) and not leads_out


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_script_no_handler_and_no_address_is_left(attack):
    assert is_harmless(sanitise(attack))


@given(
    st.lists(
        st.sampled_from([*ATTACKS, BAR, "<", ">", "</svg>", "'", '"', "<p ", "on", "<!--", "&lt;script&gt;"]),
        max_size=5,
    )
)
def test_attacks_put_together_are_as_harmless_and_cleaning_twice_is_cleaning_once(parts):
    clean = sanitise("".join(parts))
    assert is_harmless(clean)
    assert sanitise(clean) == clean


def test_what_is_opened_is_closed():
    assert sanitise("<div><p><b>x") == "<div><p><b>x</b></p></div>"
    assert sanitise("<p>x</p></div></p>") == "<p>x</p>"


def test_letter_case_that_matters_to_svg_is_kept():
    assert (
        sanitise("<lineargradient gradientunits='x'/>")
        == '<linearGradient gradientUnits="x"></linearGradient>'
    )


@pytest.mark.parametrize(
    ("attribute", "value", "stays"),
    [
        ("href", "#a", True),
        ("href", "x", False),
        ("href", " java\tscript:x", False),
        ("fill", "url(#a)", True),
        ("fill", "url(x)", False),
        ("d", "M0 0L1 1", True),
    ],
)
def test_an_attribute_stays_when_it_leads_nowhere(attribute, value, stays):
    assert harmless(attribute, value) is stays


def test_a_picture_stands_in_a_frame_that_may_do_nothing():
    [figure] = extract(BAR.replace("One bar", "A &quot;bar&quot;"))
    frame = figure._repr_html_()
    [(_, sandbox)] = [pair for pair in read(frame).attributes if pair[0] == "sandbox"]
    assert sandbox == ""
    assert dict(read(frame).attributes)["title"] == 'A "bar"'
    page = dict(read(frame).attributes)["srcdoc"]
    assert POLICY in page
    assert "allow-" not in frame
    assert repr(figure) == 'picture (svg): A "bar"'


@pytest.fixture
def workspace(tmp_path):
    (tmp_path / "report.md").write_text("# Report")
    (tmp_path / "data.csv").write_text("a,b\n1,2\n")
    return tmp_path


@pytest.fixture
def database(tmp_path):
    with HarnessDatabase(tmp_path / ".harness" / "h.sqlite3", durable=False) as opened:
        yield opened


def test_a_delivery_says_path_size_and_digest(workspace, database):
    made = present_files(workspace, ["report.md", "data.csv"], "s1", database)
    assert [(one.path, one.size, one.new) for one in made] == [("report.md", 8, True), ("data.csv", 8, True)]
    assert repr(made).startswith("report.md (8 bytes, sha256 ")
    assert re.search(r"<td>report.md</td><td>8</td>", made._repr_html_())


def test_what_was_delivered_is_not_announced_again_after_a_restart(workspace, database):
    announced = []
    present_files(workspace, ["report.md"], "s1", database, announce=announced.append)
    with HarnessDatabase(database.path, durable=False) as again:
        [one] = present_files(workspace, ["./report.md", "report.md"], "s1", again, announce=announced.append)
    assert (len(announced), one.new) == (1, False)
    assert "was delivered already" in one.line()


def test_another_version_and_another_session_are_deliveries_of_their_own(workspace, database):
    present_files(workspace, ["report.md"], "s1", database)
    assert present_files(workspace, ["report.md"], "s2", database)[0].new
    (workspace / "report.md").write_text("# Report 2")
    assert present_files(workspace, ["report.md"], "s1", database)[0].new


@pytest.mark.parametrize(
    ("paths", "error"),
    [
        (["report.md", "missing"], InvalidValue),
        (["report.md", "../x"], OutsideWorkspace),
        (["."], InvalidValue),
        ([], InvalidValue),
    ],
)
def test_all_files_are_delivered_or_none(workspace, database, paths, error):
    with pytest.raises(error):
        present_files(workspace, paths, "s1", database)
    assert present_files(workspace, ["report.md"], "s1", database)[0].new


def test_a_model_delivers_by_a_tool(workspace, database):
    tool = presenting_tool(lambda paths: present_files(workspace, paths, "s1", database))
    assert json.loads(tool.run(paths=["report.md"]))[0]["path"] == "report.md"
