"""What a learner reads in a notebook cell stays short, and every model speaks in forge's own words."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil

import pytest

import forge
from forge.errors import ForgeModel, InvalidValue

ROOMS = [
    "chain",
    "context",
    "database",
    "harness",
    "history",
    "instants",
    "lines",
    "log",
    "longrun",
    "memory",
    "recovery_cases",
    "recovery_strip",
    "replay",
    "state",
    "versions",
]
MODULES = [
    info.name for info in pkgutil.walk_packages(forge.__path__, "forge.") if info.name.split(".")[1] in ROOMS
]


@pytest.mark.parametrize("name", MODULES)
def test_no_taught_function_is_longer_than_forty_lines(name: str) -> None:
    tree = ast.parse(inspect.getsource(importlib.import_module(name)))
    long = {
        node.name: (node.end_lineno or 0) - node.lineno + 1
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno + 1 > 40
    }
    assert long == {}


MODELS = sorted(
    {
        model
        for name in MODULES
        for _, model in inspect.getmembers(importlib.import_module(name), inspect.isclass)
        if issubclass(model, ForgeModel) and model is not ForgeModel
    },
    key=lambda model: model.__name__,
)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
@pytest.mark.parametrize("wrong", [{}, {"no_such_field": 1}, "fields"], ids=["nothing", "unknown", "each"])
def test_no_model_lets_a_word_of_its_library_out(model: type[ForgeModel], wrong: object) -> None:
    every_field = dict.fromkeys(model.model_fields, object())
    values = every_field if wrong == "fields" else wrong
    assert isinstance(values, dict)
    if not values and not any(field.is_required() for field in model.model_fields.values()):
        values = {"no_such_field": 1}
    for make in (
        lambda: model(**values),
        lambda: model.model_validate(values),
        lambda: model.model_validate_json("["),
    ):
        with pytest.raises(InvalidValue) as caught:
            make()
        assert "pydantic" not in str(caught.value).lower()
        assert "Input should" not in str(caught.value)
        assert "https" not in str(caught.value)
