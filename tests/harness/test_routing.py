"""Mechanism 8: which model a task goes to."""

import pytest

from forge.errors import InvalidValue
from forge.harness.routing import MODELS, TASKS, Model, Router, Tier
from forge.harness.streaming import Usage


@pytest.mark.parametrize("task", TASKS)
def test_a_task_goes_to_the_tier_of_its_kind(task):
    assert Router().route(task) is MODELS[TASKS[task]]


def test_an_unknown_kind_of_task_goes_to_the_default():
    assert Router().route("juggling") is MODELS[Tier.DEFAULT]


def test_a_named_tier_goes_before_the_table():
    assert Router().route("title", tier="craft") is MODELS[Tier.CRAFT]
    with pytest.raises(InvalidValue, match="tier was refused"):
        Router().route("title", tier="huge")


def test_a_missing_model_is_replaced_by_the_next_stronger_one_and_never_by_a_weaker_one():
    strong = {Tier.CRAFT: MODELS[Tier.CRAFT]}
    assert Router(strong).route("title") is MODELS[Tier.CRAFT]
    with pytest.raises(InvalidValue, match="expected a craft model"):
        Router({Tier.LITE: MODELS[Tier.LITE]})


def test_a_call_costs_what_its_tokens_cost_in_whole_millionths():
    assert Model("m", 3, 15).cost(Usage(100, 10)) == 450
