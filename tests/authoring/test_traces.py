import os
import sys
import tempfile
from pathlib import Path

import pytest

import forge
from forge.authoring import traces

CHECKOUT = Path(forge.__file__).resolve().parents[1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"File {CHECKOUT}/forge/log.py", "a path of this machine"),
        (f"wrote {Path.home()}/run.json", "a path of this machine"),
        (f"in '{tempfile.gettempdir()}/forge-1'", "a path of this machine"),
        (f"{sys.prefix}/bin/python", "a path of this machine"),
        ("<object at 0x7f3b2c1d>", "a memory address"),
        (f"/x/ipykernel_{os.getpid()}/1.py", "a process id"),
        (f"pid={os.getpid()}", "a process id"),
        ("\x1b[31mred\x1b[0m", "terminal colours"),
        ("Python {}.{}.{}".format(*sys.version_info), "the version of Python"),
    ],
)
def test_a_trace_of_the_machine_or_the_run_is_found(text, words):
    assert traces.find(text).startswith(words)


@pytest.mark.parametrize(
    "text",
    [
        "<tmp>/forge-1 and forge/state/models.py",
        "0xff is 255",
        "the pid of a run is not kept",
        "3.141592 and 14 events in 2024",
        "/rooted/tmpfile and home",
        "sha256 4f3b2c1d9e8a7b6c",
    ],
)
def test_what_every_run_prints_alike_is_no_trace(text):
    assert traces.find(text) == ""
