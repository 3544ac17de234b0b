"""How large the exported file of a long run is.

The payloads are those of an agent's calls: at most 80 bytes of JSON, with four values that follow from
nothing (the tool, the path, the tokens, the step). Text of words drawn at random does not get as small.
"""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

from forge.history import History
from forge.state.models import EventKind, RunEvent, apply_event
from forge.timeline import Timeline
from forge.timeline.export import FILE_PAGE
from tests.timeline.runs import event

LONG, MOST_BYTES = 100_000, 1_500_000
COUNT = LONG if os.environ.get("FORGE_SWEEP") else 2 * FILE_PAGE
TOOLS = ["read", "write", "search", "test", "build", "patch", "ask", "run"]
WORDS = ["plan", "check", "schedule", "camera", "note", "budget", "merge", "index", "draft", "review"]


def calls(count: int) -> list[RunEvent]:
    choose, found = random.Random(3), [event(1, EventKind.RUN_CREATED)]
    for n in range(2, count + 1):
        path = f"src/{choose.choice(WORDS)}_{choose.randrange(100)}.py"
        tokens, step = choose.randrange(5000), f"step {choose.randrange(50)}"
        found.append(event(n, step=step, tool=choose.choice(TOOLS), path=path, tokens=tokens))
    return found


def test_a_hundred_thousand_calls_fit_into_one_and_a_half_megabytes(tmp_path: Path) -> None:
    events = calls(COUNT)
    sizes = [len(json.dumps(found.payload, separators=(",", ":"))) for found in events[1:]]
    assert max(sizes) <= 80
    assert sum(sizes) / len(sizes) >= 68, "not much below what is allowed"
    size = Timeline(History(events, apply_event)).to_html(tmp_path / "long.html").stat().st_size
    fixed = Timeline(History([], apply_event)).to_html(tmp_path / "empty.html").stat().st_size
    assert fixed + (size - fixed) * LONG / COUNT <= MOST_BYTES
