from __future__ import annotations

import sys
from types import ModuleType

import pytest

from forge.course.checking import originals
from forge.errors import CourseError

SHOP = """
def total(prices): return sum(prices)

def rebate(prices): return 0

class Till:
    def count(self): return 1
"""


@pytest.fixture
def shop(monkeypatch):
    def load():
        module = ModuleType("shop")
        exec(SHOP, module.__dict__)
        monkeypatch.setitem(sys.modules, "shop", module)
        return module

    monkeypatch.setattr(originals, "_originals", {})
    load.module = load()
    originals.remember(["shop:total"])
    return load


def lax(prices):
    return 0


CHANGES = {
    "another function": lambda shop: setattr(shop.module, "total", lax),
    "other code": lambda shop: setattr(shop.module.total, "__code__", lax.__code__),
    "no function": lambda shop: delattr(shop.module, "total"),
    "a helper": lambda shop: setattr(shop.module, "rebate", lax),
    "a method": lambda shop: setattr(shop.module.Till, "count", lax),
    "a reload": lambda shop: exec(SHOP, shop.module.__dict__),
    "a second import": lambda shop: shop(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_forge_that_was_changed_is_refused_by_name(shop, change):
    originals.require_unchanged(["shop:total"])
    CHANGES[change](shop)
    with pytest.raises(CourseError, match=r"not the one the course came with: shop\.\S+ .*Restart Kernel"):
        originals.require_unchanged(["shop:total"])


def test_what_was_remembered_first_stays(shop):
    shop.module.total = lax
    originals.remember(["shop:total"])
    with pytest.raises(CourseError, match=r"shop\.total was changed"):
        originals.require_unchanged(["shop:total"])


def test_a_stage_that_was_not_opened_has_nothing_to_compare(shop):
    shop.module.total = lax
    assert not raises(originals.require_unchanged, ["shop:rebate"])
    assert raises(originals.require_unchanged, ["shop:total"])


def raises(call, *arguments):
    try:
        call(*arguments)
    except CourseError:
        return True
    return False
