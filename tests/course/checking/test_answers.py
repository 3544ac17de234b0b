from __future__ import annotations

import ast
import importlib
import sys
from types import FunctionType

import pytest

from forge.course.checking.answers import answer_source, calls_itself, runs_as_written
from forge.errors import CourseError

TEXT = """\
def total(prices):
    return sum(price for price in prices)


def make(rate):
    def priced(amount):
        return amount * rate
    return priced
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    path = tmp_path / "my_answers.py"
    path.write_text(TEXT, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "my_answers", raising=False)
    return importlib.import_module("my_answers"), path


def test_an_answer_runs_as_it_is_written_until_its_file_is_edited(module):
    found, path = module
    closure = found.make(2)
    assert runs_as_written(found.total)
    assert runs_as_written(closure)
    path.write_text("# one line more\n" + TEXT, encoding="utf-8")
    importlib.import_module("linecache").checkcache()
    assert runs_as_written(found.total), "it stands on another line, and says the same"
    path.write_text(TEXT.replace("sum(", "max("), encoding="utf-8")
    importlib.import_module("linecache").checkcache()
    assert not runs_as_written(found.total)
    path.unlink()
    importlib.import_module("linecache").checkcache()
    assert not runs_as_written(found.total)


def test_a_cell_that_calls_a_function_of_what_it_imports_runs_as_it_is_written(tmp_path):
    """A kernel compiles one statement after another; then a call through an import becomes other code."""
    path = tmp_path / "cell.py"
    path.write_text("import re\ndef total(text):\n    return re.findall('a', text)\n", encoding="utf-8")
    names = {}
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        exec(compile(ast.Module([statement], []), str(path), "exec"), names)
    assert runs_as_written(names["total"])


def test_an_answer_under_a_line_magic_is_told_what_to_do():
    names = {}
    exec(compile("def total(prices): return 0", "<timed exec>", "exec"), names)
    with pytest.raises(CourseError, match=r"cannot be found: 'total' .* without %%time, %%timeit or exec"):
        answer_source(names["total"])


def test_while_it_is_checked_the_answers_name_means_the_answer():
    names = {}
    exec("def total(prices): return 0", names)
    earlier = names["total"]
    exec("def total(prices): return total", names)
    answer, names["total"] = names["total"], earlier
    with calls_itself(answer):
        assert answer([]) is answer
    assert answer([]) is earlier


def test_a_name_that_was_not_bound_is_not_bound_afterwards():
    names = {}
    answer = FunctionType((lambda: total).__code__, names, "total")  # noqa: F821
    with calls_itself(answer):
        assert answer() is answer
    assert "total" not in names
