"""Real providers, against a server on this machine that speaks their protocols."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from forge.errors import BudgetSpent, InvalidValue, ProviderFailed
from forge.harness.harness import Harness
from forge.harness.messages import ToolResultBlock, ToolUseBlock, assistant, results, user
from forge.harness.mock import MockProvider
from forge.harness.providers import HttpProvider, provider_from_environment
from forge.harness.streaming import Request, collect
from forge.harness.wire import SHAPES

KEY = "a-test-key-0123456789"


def anthropic(call=None, text=None, reason="end_turn"):
    events = [{"type": "message_start", "message": {"usage": {"input_tokens": 21}}}, {"type": "ping"}]
    if text:
        events += [{"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}]
        events += [
            {"type": "content_block_delta", "delta": {"type": "text_delta", "text": part}} for part in text
        ]
    if call:
        name, given = call
        block = {"type": "tool_use", "id": f"toolu_{name}", "name": name, "input": {}}
        events += [{"type": "content_block_start", "index": 1, "content_block": block}]
        for part in (given[:5], given[5:]):
            delta = {"type": "input_json_delta", "partial_json": part}
            events += [{"type": "content_block_delta", "delta": delta}]
    events += [{"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 9}}]
    return [*events, {"type": "message_stop"}]


def openai(call=None, text=None, reason="stop"):
    events = [{"choices": [{"delta": {"role": "assistant"}}]}]
    events += [{"choices": [{"delta": {"content": part}}]} for part in text or ()]
    if call:
        name, given = call
        head = {"index": 0, "id": f"toolu_{name}", "function": {"name": name, "arguments": ""}}
        parts = [head, *({"index": 0, "function": {"arguments": part}} for part in (given[:5], given[5:]))]
        events += [{"choices": [{"delta": {"tool_calls": [part]}}]} for part in parts]
    events += [{"choices": [{"delta": {}, "finish_reason": reason}]}]
    return [*events, {"choices": [], "usage": {"prompt_tokens": 21, "completion_tokens": 9}}]


STREAMS = {"anthropic": anthropic, "openai": openai}


class Server(ThreadingHTTPServer):
    """Answers with what it was told to answer: a status with headers, or the events of a stream."""

    daemon_threads = True

    def __init__(self):
        self.answers, self.asked = [], []
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.asked.append((self.path, dict(self.headers), json.loads(body)))
        answer = self.server.answers.pop(0)
        if answer is None:
            return self.close_connection
        status, headers, events = answer
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        for event in events:
            text = event if isinstance(event, str) else f"data: {json.dumps(event)}\n\n"
            self.wfile.write(text.encode())
        if events and self.path.endswith("completions"):
            self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    server = Server()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(params=sorted(STREAMS))
def shape(request):
    return request.param


def provider(server, shape, **options):
    slept = []
    made = HttpProvider(SHAPES[shape], server.url, KEY, model="m-1", sleep=slept.append, **options)
    made.slept = slept
    return made


def ok(events):
    return 200, {"content-type": "text/event-stream"}, events


TALK = [
    user("go"),
    assistant("Looking.", ToolUseBlock(id="c1", name="list_files", input={"path": "."})),
    results([ToolResultBlock(tool_use_id="c1", content="a.txt")]),
]
TOOL = {"name": "list_files", "description": "List.", "input_schema": {"type": "object"}}


def test_a_reply_has_the_same_blocks_in_both_shapes(server, shape):
    server.answers = [ok(STREAMS[shape](("list_files", '{"path": "秋"}'), ["Look", "ing."]))]
    reply = collect(provider(server, shape).stream(Request("x", "", TALK)))
    assert reply.blocks[0].text == "Looking."
    assert reply.blocks[1] == ToolUseBlock(id="toolu_list_files", name="list_files", input={"path": "秋"})
    assert reply.usage == (21, 9)


def test_a_request_says_model_system_tools_and_every_block(server, shape):
    server.answers = [ok(STREAMS[shape](text=["x"]))]
    collect(provider(server, shape).stream(Request("x", "Be brief.", TALK, [TOOL])))
    [(path, headers, body)] = server.asked
    assert body["model"] == "m-1"
    assert body["stream"] is True
    said = json.dumps(body, ensure_ascii=False)
    for part in ("Be brief.", "list_files", "a.txt", "c1", "Looking."):
        assert part in said
    if shape == "anthropic":
        assert (path, headers["x-api-key"]) == ("/v1/messages", KEY)
        assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
        assert body["messages"][1]["content"][1]["input"] == {"path": "."}
    else:
        assert (path, headers["authorization"]) == ("/v1/chat/completions", f"Bearer {KEY}")
        assert [message["role"] for message in body["messages"]] == ["system", "user", "assistant", "tool"]
        assert json.loads(body["messages"][2]["tool_calls"][0]["function"]["arguments"]) == {"path": "."}


def test_a_session_runs_over_http_and_its_loop_is_driven_by_blocks(server, shape, tmp_path):
    wrong = {"anthropic": "end_turn", "openai": "stop"}[shape]
    stream = STREAMS[shape]
    server.answers = [
        ok(stream(("list_files", "{}"), reason=wrong)),
        ok(stream(text=["Done."], reason="tool_use")),
    ]
    harness = Harness(tmp_path, "s1", provider(server, shape))
    assert harness.send("go").text == "Done."
    assert harness.messages[2].tool_results[0].content == "no files"


@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_a_refusal_that_may_pass_is_tried_again_after_pauses_that_double(server, shape, status):
    server.answers = [(status, {}, []), (status, {}, []), ok(STREAMS[shape](text=["x"]))]
    tried = provider(server, shape)
    assert collect(tried.stream(Request("x", "", TALK))).blocks[0].text == "x"
    assert tried.slept == [0.5, 1.0]


def test_the_pause_that_the_server_asks_for_is_kept_within_a_limit(server, shape):
    server.answers = [
        (429, {"retry-after": "7"}, []),
        (429, {"retry-after": "9999"}, []),
        ok(STREAMS[shape](text=["x"])),
    ]
    tried = provider(server, shape)
    collect(tried.stream(Request("x", "", TALK)))
    assert tried.slept == [7.0, 30.0]


def test_a_lost_connection_is_tried_again_and_in_the_end_told(server, shape):
    server.answers = [None] * 4
    tried = provider(server, shape)
    with pytest.raises(ProviderFailed, match="connection was lost") as caught:
        collect(tried.stream(Request("x", "", TALK)))
    assert caught.value.evidence["attempts"] == len(server.asked) == 4


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_a_refusal_that_will_not_pass_is_told_at_once_without_the_key(server, shape, status):
    server.answers = [(status, {}, [f"bad key {KEY}, sorry"])]
    tried = provider(server, shape)
    with pytest.raises(ProviderFailed, match=f"status {status}") as caught:
        collect(tried.stream(Request("x", "", TALK)))
    assert len(server.asked) == 1
    assert KEY not in str(caught.value)
    assert KEY not in repr(tried)


def test_a_reply_that_was_begun_is_never_begun_again(server, shape):
    broken = {"type": "error", "error": {"message": "overloaded"}}
    half = [*STREAMS[shape](text=["half an answer"])[:4], broken]
    server.answers = [ok(half)]
    shown = []
    with pytest.raises(ProviderFailed, match="broke off"):
        collect(provider(server, shape).stream(Request("x", "", TALK)), show_text=shown.append)
    assert shown == ["half an answer"]
    assert len(server.asked) == 1


def test_a_stream_that_is_cut_is_no_reply(server, shape):
    whole = STREAMS[shape](text=["a", "b"])
    server.answers = [ok(whole[:-2])]
    with pytest.raises(ProviderFailed, match="stopped before its end"):
        collect(provider(server, shape).stream(Request("x", "", TALK)))


@pytest.mark.parametrize("data", ["data: {not json\n\n", "data: [1]\n\n"])
def test_a_stream_of_something_else_is_told(server, shape, data):
    server.answers = [ok([data])]
    with pytest.raises(ProviderFailed, match="cannot be read"):
        collect(provider(server, shape).stream(Request("x", "", TALK)))


def test_a_call_beyond_the_budget_is_not_made(server, shape):
    server.answers = [ok(STREAMS[shape](text=["x"]))] * 2
    tried = provider(server, shape, budget=1100)
    request = Request("x", "", [user("go")], max_tokens=1000)
    collect(tried.stream(request))
    assert tried.spent == 30
    tried.spent = 200
    with pytest.raises(BudgetSpent, match="200 of 1,100"):
        collect(tried.stream(request))
    assert len(server.asked) == 1


def test_without_a_name_in_the_environment_it_is_the_mock():
    assert isinstance(provider_from_environment({}), MockProvider)


GOOD = {
    "FORGE_PROVIDER": "openai",
    "FORGE_API_KEY": KEY,
    "FORGE_MODEL": "m",
    "FORGE_BASE_URL": "https://h.example/v1",
}


def test_the_environment_names_provider_model_key_address_and_budget():
    made = provider_from_environment({**GOOD, "FORGE_BUDGET_TOKENS": "5"})
    assert (made.name, made.budget) == ("openai", 5)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"FORGE_PROVIDER": "other"}, "expected one of mock, anthropic, openai, found 'other'"),
        ({"FORGE_API_KEY": ""}, "FORGE_API_KEY was refused"),
        ({"FORGE_BUDGET_TOKENS": "many"}, "expected a whole number"),
        ({"FORGE_BASE_URL": "http://elsewhere.example/v1"}, "https://"),
        ({"FORGE_BASE_URL": "elsewhere"}, "https://"),
    ],
)
def test_an_environment_that_is_wrong_is_told_which_of_its_names(change, words):
    with pytest.raises(InvalidValue, match=words):
        provider_from_environment({**GOOD, **change})
