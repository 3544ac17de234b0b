from __future__ import annotations

from typing import Any

import pytest

from forge.course.saving import STATE, VIEW, keep_readable


def saved(data: dict[str, Any], *, known: tuple[str, ...] = ()) -> dict[str, Any]:
    """What is left of an output's data after a save."""
    state = {STATE: {"state": {name: {} for name in known}}}
    cell = {"cell_type": "code", "outputs": [{"output_type": "display_data", "data": data}]}
    model = {"type": "notebook", "content": {"metadata": {"widgets": state}, "cells": [cell]}}
    keep_readable(model, path="x.ipynb", contents_manager=None)
    return data


def test_a_widget_whose_state_is_saved_stays_live() -> None:
    assert VIEW in saved({VIEW: {"model_id": "a"}, "text/html": "<table>"}, known=("a",))


def test_a_widget_whose_state_is_gone_leaves_its_table() -> None:
    assert saved({VIEW: {"model_id": "a"}, "text/html": "<table>"}, known=("b",)) == {"text/html": "<table>"}


def test_a_widget_without_a_table_is_left_alone() -> None:
    assert VIEW in saved({VIEW: {"model_id": "a"}, "text/plain": "x"})


@pytest.mark.parametrize(
    "model", [{}, {"type": "file", "content": "x"}, {"type": "notebook", "content": None}]
)
def test_anything_else_is_saved_as_it_is(model: dict[str, Any]) -> None:
    before = dict(model)
    keep_readable(model)
    assert model == before
