from __future__ import annotations

import signal

import pytest
from jupyter_client.manager import start_new_kernel

SETUP = """
import hashlib, sys
from pathlib import Path
from types import ModuleType
from forge.course.checking import limits
from forge.course.checking.check import check
from forge.course.checking.limits import Limits

limits._PATIENCE = 0.0
shop = ModuleType("shop")
exec("def total(prices): return sum(prices)", shop.__dict__)
sys.modules["shop"] = shop

def judge(answer):
    report = check("shop:total", answer, ["test_x"], module=Path(MODULE), limits=Limits(test=0.2))
    print(report.verdict, [result.message for result in report.results], report.output)
"""

BARE_EXCEPT = """
def total(prices):
    while True:
        try:
            len(prices)
        except:
            pass

judge(total)
"""

CALL_INTO_C = """
def total(prices):
    hashlib.pbkdf2_hmac("sha256", b"x", b"y", 4_000_000)
    return sum(prices)

judge(total)
"""

RIGHT = """
def total(prices):
    print("adding")
    return sum(prices)

judge(total)
"""


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    module = tmp_path_factory.mktemp("tests") / "test_shop.py"
    module.write_text(
        "from shop import total\n\n\ndef test_x():\n    assert total([1, 2]) == 3\n", encoding="utf-8"
    )
    manager, client = start_new_kernel(
        kernel_name="python3", extra_arguments=["--HistoryManager.enabled=False"]
    )

    def run(code):
        streams = {"stdout": "", "stderr": ""}

        def collect(message):
            if message["msg_type"] == "stream":
                streams[message["content"]["name"]] += message["content"]["text"]

        reply = client.execute_interactive(code, output_hook=collect, timeout=30, store_history=False)
        assert reply["content"]["status"] == "ok", reply["content"]
        return streams

    try:
        run(f"MODULE = {str(module)!r}\n{SETUP}")
        yield run
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_a_right_answer_passes_in_a_kernel(kernel):
    assert kernel(RIGHT) == {"stdout": "passed [''] adding\n\n", "stderr": ""}


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no interval timer")
def test_an_endless_answer_leaves_the_kernel_alive(kernel):
    assert kernel(BARE_EXCEPT)["stdout"].strip() == "failed ['stopped: still running after 0.2 s']"
    assert kernel(RIGHT)["stdout"].startswith("passed")


def test_a_call_into_c_that_takes_too_long_is_spoken_of_in_the_cell_and_is_no_pass(kernel):
    shown = kernel(CALL_INTO_C)
    assert "Kernel → Restart Kernel" in shown["stderr"]
    assert shown["stdout"].strip() == "failed ['stopped: still running after 0.2 s']"
