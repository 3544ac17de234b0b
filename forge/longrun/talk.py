"""What is said and shown in a window while a feature is built. It is of use once, and none of it is kept."""

from __future__ import annotations

_THOUGHT = """\
Thought: {feature} is the next one. The routes are registered in one list at the end of the server, so
a new handler needs a line there and a file of its own. The validation of the last feature looks
reusable, but it trims its input, which would be wrong here: better to write a small one. First a test
for the empty case, as that is where the last two went wrong, then the handler, then the line in the
list. If the store has no index for it, a scan will do: there are few notes, and the index can come
with the feature that needs it. The name of the handler should say what it returns, as the others do. What the
list of routes looks like now, I have seen above; the new line goes to its end, before the page for
errors, which has to stay the last one.
"""

_CODE = """\
def handle_{name}(request, store):
    \"\"\"Answer a request for {feature}.\"\"\"
    owner = request.user
    if owner is None:
        return Response(401, "sign in first")
    wanted = request.query.get("id")
    if wanted is not None and not wanted.isdigit():
        return Response(400, f"expected a number, found {{wanted!r}}")
    rows = store.rows(owner, "{name}", wanted)
    if wanted is not None and not rows:
        return Response(404, f"no entry {{wanted}}")
    if len(rows) > LIMIT:
        return Response(413, f"expected at most {{LIMIT}} entries, found {{len(rows)}}")
    body = [{{"id": row.id, "text": row.text, "changed": row.changed}} for row in rows]
    return Response(200, body)


def test_{name}_of_nobody(client):
    assert client.get("/{name}").status == 401


def test_{name}_of_an_empty_store(client, owner):
    assert client.get("/{name}", user=owner).json == []


def test_{name}_of_somebody_else(client, owner, other):
    client.post("/{name}", user=other, text="a note of the other one")
    assert client.get("/{name}", user=owner).json == []


def test_{name}_refuses_what_is_no_number(client, owner):
    answer = client.get("/{name}?id=x", user=owner)
    assert (answer.status, answer.text) == (400, "expected a number, found 'x'")


ROUTES.append(("GET", "/{name}", handle_{name}))
"""

_LOG = """\
collected 3 suites
tests/test_server.py ......................................... [ 41%]
tests/test_store.py .......................................... [ 83%]
tests/test_{name}.py ................. [100%]
"""


def thought(feature: str) -> str:
    """What the model says to itself before it works."""
    return _THOUGHT.format(feature=feature)


def code(feature: str) -> str:
    """The file of a feature."""
    return _CODE.format(feature=feature, name=feature.lower())


def receipts(feature: str, status: str) -> str:
    """What the tools have answered, while the feature was not committed."""
    shown = f"$ cat features/{feature}.txt\n{code(feature)}"
    return f"{shown}$ git status --short\n{status}$ make test\n{_LOG.format(name=feature.lower())}"
