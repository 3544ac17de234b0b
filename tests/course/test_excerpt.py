import pytest

from forge.course import excerpt
from forge.course.closure import modules_of
from forge.errors import ContractInvalid

MODULE = '''\
"""A store."""

from __future__ import annotations

import json
from pathlib import Path

LIMIT = 3


class Store:
    """Keeps."""

    @property
    def size(self) -> int:
        # how many
        return len(self.items)

    def query(self, text: str) -> list[str]:
        return [item for item in self.items if text in item][:LIMIT]


def free(path: Path) -> str:
    return json.dumps(str(path))
'''


def test_a_function_is_read_with_its_comments_and_without_decorators_and_indentation():
    assert excerpt.function(MODULE, "Store.size", "m.py") == (
        "def size(self) -> int:\n    # how many\n    return len(self.items)\n"
    )


def test_only_the_imports_a_function_uses_are_read():
    text = "from __future__ import annotations\nimport json, os.path\nfrom a import b as c, d\n"
    assert excerpt.imports(text, "def f(x: c):\n    return os.path.join(x)\n") == [
        "import os.path",
        "from a import b as c",
    ]


def test_a_method_is_replaced_at_its_indentation_and_nothing_else_changes():
    new = "def query(self, text):\n    return []\n"
    changed = excerpt.replace(MODULE, "Store.query", new, [], "m.py")
    start, end = MODULE.index("    def query"), MODULE.index("\n\ndef free")
    assert changed == MODULE[:start] + "    def query(self, text):\n        return []\n" + MODULE[end:]


def test_a_replacement_brings_the_imports_the_module_lacks_and_no_others():
    lines = ["import time", "from elsewhere import Store, Path", "from x import LIMIT as LOW"]
    changed = excerpt.replace(MODULE, "free", "def free(path):\n    return time.time()\n", lines, "m.py")
    added = [line for line in changed.splitlines() if line not in MODULE.splitlines()]
    assert added == ["import time", "from x import LIMIT as LOW", "def free(path):", "    return time.time()"]
    assert changed.index("import time") < changed.index("LIMIT = 3")


def test_a_name_that_is_not_there_is_refused_with_the_place():
    for name in ("Store.purge", "purge", "Shop.query", "LIMIT"):
        with pytest.raises(ContractInvalid, match=rf"m\.py defines no {name}"):
            excerpt.function(MODULE, name, "m.py")
    with pytest.raises(ContractInvalid, match=r"m\.py is not Python: line 1"):
        excerpt.function("def (", "f", "m.py")


def test_the_modules_a_text_needs_are_those_it_imports_and_those_they_import():
    found = modules_of("from forge.state import RunEvent\n", [])
    assert {"forge/__init__.py", "forge/state/__init__.py", "forge/state/models.py"} <= found.keys()
    assert {"forge/errors.py", "forge/chain.py"} <= found.keys()
    assert not any(name.startswith("forge/course") for name in found)


def test_an_import_inside_a_function_and_a_module_named_alone_count():
    assert "forge/chain.py" in modules_of("def f():\n    from forge import chain\n", [])
    assert "forge/log.py" in modules_of("", ["forge.log"])
    assert modules_of("import json\nimport forgery\n", []) == {}
