"""Notice that forge was changed in this kernel: by a scratch cell, a reload or a second import."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from types import CodeType, FunctionType

from ...errors import CourseError, SubstitutionRefused
from .targets import inner, resolve

Functions = dict[str, tuple[FunctionType, CodeType]]

_originals: dict[str, Functions] = {}


def remember(targets: Iterable[str]) -> None:
    """Keep what the targets and the functions beside them are now; what is known already stays."""
    for target in targets:
        if target not in _originals:
            _originals[target] = _functions(target)


def require_unchanged(targets: Iterable[str]) -> None:
    """Raise `CourseError` when a function is not the one remembered: a check would say nothing."""
    for target in targets:
        known = _originals.get(target, {})
        now = _functions(target) if known else {}
        for name, original in known.items():
            if now.get(name) != original:
                raise CourseError(
                    "forge is not the one the course came with",
                    f"{name.replace(':', '.')} was changed in this kernel.",
                    "Kernel → Restart Kernel, then run the cells from the top; "
                    "an answer goes into the cell below its decorator.",
                    target=target,
                )


def _functions(target: str) -> Functions:
    """The function that a target names, and every function of the module it is defined in."""
    try:
        function = resolve(target)
    except SubstitutionRefused:
        return {}
    found = {target: (function, function.__code__)}
    module = vars(sys.modules.get(function.__module__, sys))
    owners = [value for value in module.values() if isinstance(value, type)]
    for owner, members in [("", module), *((f"{kind.__qualname__}.", vars(kind)) for kind in owners)]:
        for name, member in members.items():
            plain = inner(member)
            if isinstance(plain, FunctionType) and plain.__module__ == function.__module__:
                found[f"{function.__module__}:{owner}{name}"] = (plain, plain.__code__)
    return found
