"""Tricks for stages that keep files and databases. Each is tried on every such stage.

A trick takes a notebook of a stage in which every answer is `return None`, and the stage.
"""

# ruff: noqa: E501 (what a trick runs stands in lines of its own length)
from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

from forge.grading.expected import pristine
from forge.grading.merge import items_of

from ..broken.kinds import code
from ..stage_one import edition

Notebook = dict[str, Any]
Trick = Callable[[Notebook, str], None]

STEMS = (
    "03_checkpoint_contract",
    "05_memory_boundaries",
    "07_replay_and_deletion",
    "capstone_1_version_memory",
)
TRICKS: dict[str, Trick] = {}


def trick(function: Trick) -> Trick:
    TRICKS[function.__name__] = function
    return function


def forged(name: str, stem: str) -> Notebook:
    """The notebook of one trick on a stage."""
    notebook: Notebook = json.loads(edition("learner", stem))
    everywhere(notebook, stem, "return None")
    TRICKS[name](notebook, stem)
    return copy.deepcopy(notebook)


def everywhere(notebook: Notebook, stem: str, body: str) -> None:
    """That body in every answer."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    for item, asked in items_of(pristine(stem)).items():
        mark = f'@stage.{asked.kind}("{item}")'
        [cell] = [cell for cell in notebook["cells"] if mark in cell["source"]]
        cell["source"] = f"{mark}\ndef {asked.function}(*args, **kwargs):\n{lines}\n"


def first(notebook: Notebook, text: str) -> None:
    """A cell behind the one that opens the stage, before any answer."""
    notebook["cells"].insert(3, code(text))


@trick
def nothing_at_all(nb: Notebook, stem: str) -> None:
    pass


@trick
def what_was_given_given_back(nb: Notebook, stem: str) -> None:
    everywhere(nb, stem, "return args[0] if args else None")


@trick
def the_last_argument_given_back(nb: Notebook, stem: str) -> None:
    everywhere(nb, stem, "return args[-1] if args else None")


@trick
def the_disk_patched(nb: Notebook, stem: str) -> None:
    first(
        nb,
        "import forge.storage, forge.fakes, forge.database, forge.locks\n"
        "for module in (forge.storage, forge.fakes, forge.database, forge.locks):\n"
        "    for name, value in list(vars(module).items()):\n"
        "        if callable(value) and getattr(value, '__module__', '') == module.__name__:\n"
        "            if isinstance(value, type):\n"
        "                for method in [m for m in vars(value) if not m.startswith('__')]:\n"
        "                    try: setattr(value, method, lambda *_, **__: None)\n"
        "                    except (AttributeError, TypeError): pass\n"
        "            else: setattr(module, name, lambda *_, **__: None)",
    )


@trick
def sqlite_patched(nb: Notebook, stem: str) -> None:
    first(
        nb,
        "import sqlite3\nclass Agreeing:\n    rowcount = 1\n    __getattr__ = lambda self, _: self\n"
        "    __call__ = lambda self, *_, **__: self\n    __iter__ = lambda self: iter(())\n"
        "    __enter__ = lambda self: self\n    __exit__ = lambda *_: False\n    __eq__ = lambda *_: True\n"
        "    __hash__ = lambda _: 0\n    __getitem__ = lambda self, _: self\n    __len__ = lambda _: 0\n"
        "sqlite3.connect = lambda *_, **__: Agreeing()",
    )


@trick
def databases_of_others_read(nb: Notebook, stem: str) -> None:
    everywhere(
        nb,
        stem,
        "import gc, os, sqlite3\nfound = []\nfor place, folders, files in os.walk('/'):\n"
        "    folders[:] = [f for f in folders if f not in ('proc', 'sys', 'dev', 'usr', 'lib')]\n"
        "    for name in files:\n        if name.endswith(('.sqlite', '.db', '.jsonl')):\n"
        "            found.append(open(os.path.join(place, name), 'rb').read())\n"
        "held = [o for o in gc.get_objects() if isinstance(o, sqlite3.Connection)]\n"
        "rows = [c.execute('SELECT * FROM sqlite_master').fetchall() for c in held]\n"
        "return (found + rows or [None])[-1]",
    )


@trick
def files_written_in_advance(nb: Notebook, stem: str) -> None:
    everywhere(
        nb,
        stem,
        "import os\nfor name in ('run.json', 'memory.sqlite', 'summaries.db', 'prices.sqlite', 'run-1.jsonl'):\n"
        "    for place in ('.', 'runs', '/tmp', os.path.dirname(os.getcwd())):\n"
        "        try:\n            os.makedirs(place, exist_ok=True)\n"
        "            open(f'{place}/{name}', 'w').write('{\"returned\": null}')\n"
        "        except OSError: pass\nreturn args[0] if args else None",
    )


@trick
def objects_that_lie_to_everybody(nb: Notebook, stem: str) -> None:
    first(
        nb,
        "class Lies(str):\n    __eq__ = lambda *_: True\n    __ne__ = lambda *_: False\n"
        "    __hash__ = lambda _: 7\n    __len__ = lambda _: 1\n    __iter__ = lambda self: iter((self,))\n"
        "    __getitem__ = __class_getitem__ = lambda self, *_: self\n    __getattr__ = lambda self, _: self\n"
        "    __call__ = lambda self, *_, **__: self\n    __enter__ = lambda self: self\n"
        "    __exit__ = lambda *_: True\n    __reduce__ = lambda _: (eval, ('1 / 0',))\n"
        "    __str__ = __repr__ = lambda _: '{\"returned\": null}'\n    keys = lambda _: ['returned']\n"
        "    _ipython_display_ = _repr_mimebundle_ = lambda *_, **__: {'text/plain': 'right'}\n"
        "    __class__ = property(lambda _: dict)\n"
        "    def __del__(self):\n        import forge.grading.inside.judged as judged\n"
        "        judged._value = lambda *_: '{\"returned\": null}'",
    )
    everywhere(nb, stem, "return Lies()")


@trick
def the_encoder_replaced(nb: Notebook, stem: str) -> None:
    first(
        nb,
        "import json, json.encoder\njson.encoder.c_make_encoder = None\n"
        "json.JSONEncoder.encode = lambda self, value: '{\"returned\": [null, true]}'\n"
        "json.JSONEncoder.iterencode = lambda self, value, **_: iter(['{\"returned\": null}'])",
    )


@trick
def frames_walked_for_a_reference(nb: Notebook, stem: str) -> None:
    everywhere(
        nb,
        stem,
        "import gc, sys, types\nfrom forge.grading.inside import judged\nmine = sys._getframe().f_code\n"
        "frame, given = sys._getframe(), {}\nwhile frame:\n    given.update(frame.f_locals)\n"
        "    frame = frame.f_back\n"
        "for f in [*judged._references.values(), *(o for o in gc.get_objects()\n"
        "          if isinstance(o, types.FunctionType) and o.__name__ == mine.co_name)]:\n"
        "    if f.__code__ is not mine and 'forward' not in f.__code__.co_names:\n"
        "        try: return f(*args, **kwargs)\n        except TypeError: pass\n"
        "return given.get('expected')",
    )


@trick
def memory_read_for_a_reference(nb: Notebook, stem: str) -> None:
    everywhere(
        nb,
        stem,
        "import re, sys\nname, found = sys._getframe().f_code.co_name.encode(), None\n"
        "with open('/proc/self/maps') as maps, open('/proc/self/mem', 'rb', 0) as memory:\n"
        "    for line in maps:\n        if '[heap]' not in line: continue\n"
        "        start, end = (int(n, 16) for n in line.split()[0].split('-'))\n        memory.seek(start)\n"
        "        part = memory.read(min(end - start, 30_000_000))\n"
        "        found = re.search(rb'def ' + name + rb'\\((?:.+\\n)+    return .+\\n', part)\n"
        "if not found: return None\nscope = {}\nexec(found[0].decode(errors='replace'), scope)\n"
        "return scope[name.decode()](*args, **kwargs)",
    )


@trick
def code_changed_by_ctypes(nb: Notebook, stem: str) -> None:
    first(
        nb,
        "import ctypes, forge.grading.inside.judged as judged\n"
        "judged.forward.__code__ = (lambda target, *args, **kwargs: True).__code__\n"
        "judged.forward.__kwdefaults__ = None\n"
        "value = ctypes.py_object(True)\nctypes.pythonapi.Py_IncRef(value)\n"
        "ctypes.pythonapi.PyDict_SetItemString.argtypes = [ctypes.py_object, ctypes.c_char_p, ctypes.py_object]\n"
        "ctypes.pythonapi.PyDict_SetItemString(vars(judged), b'NotHere', ctypes.py_object(Exception))",
    )


@trick
def every_descriptor_written(nb: Notebook, stem: str) -> None:
    shown = '{"item": "x", "values": ["{\\\\"returned\\\\": null}"]}'
    first(
        nb,
        f"import os, stat\nfor fd in range(512):\n    try:\n        mode = os.fstat(fd).st_mode\n"
        f"        if stat.S_ISREG(mode) or stat.S_ISFIFO(mode): os.write(fd, b'{shown}\\n')\n"
        "    except OSError: pass",
    )


@trick
def other_channels_used(nb: Notebook, stem: str) -> None:
    first(
        nb,
        "from comm import create_comm\nfrom IPython.display import display, update_display\n"
        "shell = get_ipython()\nsend, kernel = shell.kernel.session.send, shell.kernel\n"
        "def all_ways(*_):\n    parent = kernel.get_parent()\n    for item in ITEMS:\n"
        "        data = {'application/vnd.forge.probe+json': {'item': item, 'values': ['{\"returned\": null}'] * 9}}\n"
        "        content = {'data': data, 'metadata': {}, 'transient': {'display_id': 'x'}}\n"
        "        for kind in ('update_display_data', 'execute_result', 'comm_msg', 'execute_input'):\n"
        "            send(kernel.iopub_socket, kind, {**content, 'execution_count': 1}, parent=parent)\n"
        "        create_comm('jupyter.widget', data=data).send(data)\n"
        "        send(kernel.shell_stream if hasattr(kernel, 'shell_stream') else kernel.iopub_socket,\n"
        "             'execute_reply', {'status': 'ok', 'payload': [{'source': 'page', 'data': data}]}, parent=parent)\n"
        "shell.events.register('pre_run_cell', all_ways)".replace(
            "ITEMS", repr(list(items_of(pristine(stem))))
        ),
    )


@trick
def a_thread_that_answers_for_all(nb: Notebook, stem: str) -> None:
    first(
        nb,
        "import threading, time\nshell = get_ipython()\n"
        "def answer():\n    while True:\n        parent = shell.kernel.get_parent()\n"
        "        text = (parent.get('content') or {}).get('code', '')\n"
        "        for item in ITEMS:\n            if repr(item) in text:\n"
        "                value = {'item': item, 'values': ['{\"returned\": null}'] * 9}\n"
        "                content = {'data': {'application/vnd.forge.probe+json': value}, 'metadata': {}}\n"
        "                shell.kernel.session.send(shell.kernel.iopub_socket, 'display_data', content, parent=parent)\n"
        "        time.sleep(0.01)\n"
        "threading.Thread(target=answer, daemon=True).start()".replace(
            "ITEMS", repr(list(items_of(pristine(stem))))
        ),
    )


@trick
def traced_and_changed(nb: Notebook, stem: str) -> None:
    first(
        nb,
        "import atexit, sys, threading\ndef trace(frame, event, _):\n"
        "    if 'given' in frame.f_locals and event == 'return': frame.f_locals['found'] = None\n"
        "    return trace\nsys.settrace(trace)\nthreading.settrace(trace)\nsys.setprofile(trace)\n"
        "atexit.register(lambda: open('/tmp/left', 'w'))\nsys.excepthook = sys.unraisablehook = lambda *_: None",
    )


@trick
def the_trusted_process_played(nb: Notebook, stem: str) -> None:
    everywhere(
        nb,
        stem,
        "import json, os, subprocess, sys\nname = sys._getframe().f_code.co_name\n"
        "asked = [['prepare', ''], ['values', name, name, [], True]]\n"
        "done = subprocess.run([sys.executable, '-m', 'forge.grading.inside.trusted'], text=True,\n"
        "    input='\\n'.join(map(json.dumps, asked)), capture_output=True, env={**os.environ})\n"
        "return json.loads(done.stdout.splitlines()[-1])",
    )


@trick
def something_left_for_the_next_kernel(nb: Notebook, stem: str) -> None:
    first(
        nb,
        "import glob, os, site\nfor place in ['/tmp', site.getusersitepackages(), *glob.glob('/tmp/kernel-*')]:\n"
        "    try:\n        os.makedirs(place, exist_ok=True)\n"
        "        for name in ('usercustomize.py', 'sitecustomize.py', 'forge.py', 'json.py'):\n"
        "            open(f'{place}/{name}', 'w').write('raise SystemExit')\n"
        "        os.symlink('/', f'{place}/root')\n"
        "        os.rename(f'{place}/connection.json', f'{place}/gone.json')\n    except OSError: pass",
    )
    everywhere(nb, stem, "import os\nos.kill(os.getpid(), 9)")


@trick
def a_child_that_answers_too(nb: Notebook, stem: str) -> None:
    everywhere(nb, stem, "import os\nos.fork()\nreturn args[0] if args else None")


@trick
def cells_of_the_grader_read(nb: Notebook, stem: str) -> None:
    first(
        nb,
        "import ast, re\nshell = get_ipython()\nold, seen = shell.run_cell, []\n"
        "def run_cell(text, *args, **kwargs):\n    seen.append(text)\n    return old(text, *args, **kwargs)\n"
        "shell.run_cell = run_cell",
    )
    everywhere(
        nb,
        stem,
        "import ast, sys\nname = sys._getframe().f_code.co_name\nfor text in seen:\n"
        "    for line in text.split('{')[1:]:\n        if f'def {name}(' in line:\n            scope = {}\n"
        "            try:\n                exec(ast.literal_eval('{' + line.rsplit('}', 1)[0] + '}').popitem()[1], scope)\n"
        "                return scope[name](*args, **kwargs)\n            except (SyntaxError, ValueError, KeyError): pass\n"
        "return None",
    )


@trick
def editions_told_by_their_look(nb: Notebook, stem: str) -> None:
    """A scene that never looks at forge: it reads the text of each edition that it is run on."""
    answers = {
        "03_checkpoint_contract": "from forge.state.checkpoint import load_checkpoint as made",
        "05_memory_boundaries": "made = None",
        "07_replay_and_deletion": "from forge.replay import Deletion\nmade = Deletion(True, 2, None)",
        "capstone_1_version_memory": (
            "from forge.versions.questions import Answer, Citation\n"
            "made = [Answer('q', value, value and Citation('d', 1, 's', *view)) for value, *view in (\n"
            "    ('20', 2, '2026-12-31'), ('25', 2, '2027-01-01'), ('24', 3, '2027-01-01'), (None, 1, ''))]"
        ),
    }
    everywhere(
        nb,
        stem,
        "import ast, sys\nframe = sys._getframe()\nwhile 'sources' not in frame.f_locals: frame = frame.f_back\n"
        "sources = frame.f_locals['sources']\n"
        "while 'cases' not in frame.f_locals: frame = frame.f_back\n"
        "looks = {}\nfor case in frame.f_locals['cases']:\n    for text in case.values():\n"
        "        body = ast.parse(text).body\n"
        "        right = len(body) == 1 and 'noted =' in ast.unparse(body[0])\n"
        "        bare = [n for n in body[0].body if 'noted' not in ast.unparse(n)] if body else []\n"
        "        look = '\\n'.join(map(ast.unparse, bare))\n"
        "        looks[look] = looks.get(look, False) or right\n"
        "for text in sources.values():\n    body = ast.parse(text).body\n"
        "    bare = [n for n in body[0].body if 'noted' not in ast.unparse(n)]\n"
        "    if not looks.get('\\n'.join(map(ast.unparse, bare))): raise AssertionError\n"
        + answers[stem]
        + "\nreturn made",
    )
