# Where there is text, there is an answer to show.
from forge.errors import TurnLimit
from forge.harness.loop import _add, _not_made
from forge.harness.messages import assistant, results


def run_loop(messages, ask, act, *, keep=lambda _: None, limit=50):
    """The final message, after as many turns as the model wants, at most `limit`.

    `messages` grows by what is said. `keep` is given every new message before anything follows from it: a
    call is on record before it is made. `TurnLimit` when the last allowed turn still asks for a tool; its
    calls are not made, and each has a result that says so, so the conversation can be gone on with.
    """
    for turn in range(1, limit + 1):
        reply = ask(messages)
        said = assistant(*reply.blocks)
        _add(messages, said, keep)
        calls = said.tool_uses
        if said.text:
            return said
        if turn == limit:
            _add(messages, results(_not_made(call, limit) for call in calls), keep)
            break
        _add(messages, results([act(call) for call in calls]), keep)
    raise TurnLimit(
        "the loop has reached its limit",
        f"the model asked for tools in each of {limit} turns.",
        "Look at the last calls in the transcript, then go on with a new message or a higher limit.",
        turns=limit,
    )
