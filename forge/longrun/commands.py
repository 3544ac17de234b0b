"""What `forge night` does; each function gives the lines to print."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..errors import InvalidValue
from .night import Night, run_night
from .selfchecks import CHECKS, run_checks
from .store import load_state, state_file, state_folder


def night(work: Path, windows: int, steps: int) -> list[str]:
    """Run the night without the state layer and with it, and compare."""
    plain, layered = work / "no-state", work
    for folder in (plain, layered):
        if load_state(state_folder(folder)) is not None:
            raise InvalidValue(
                "a night has been here",
                f"{state_file(state_folder(folder))} holds its ledger.",
                "Name another folder with --work, or remove this one.",
                path=str(folder),
            )
    without = run_night(Night(plain, with_state=False), windows=windows, steps=steps)
    with_layer = run_night(Night(layered), windows=windows, steps=steps)
    pairs = [
        ("features finished", without.finished, with_layer.finished),
        ("steps wasted", without.wasted, with_layer.wasted),
        ("characters said in a window", said(without), said(with_layer)),
        ("characters of its opening", opened(without), opened(with_layer)),
    ]
    lines = [f"{'':<28}{'without':>9}{'with':>9}", *(f"{what:<28}{a:>9,}{b:>9,}" for what, a, b in pairs)]
    for one in (without, with_layer):
        done = " ".join(one.ledger.done) or "nothing"
        lines += [f"{state_file(one.state_dir)}", f"  done: {done}"]
    return [
        *lines,
        "Both ledgers are whole. Without the layer, nobody told the next window what its own says.",
    ]


def said(night: Night) -> int:
    """The characters of the longest transcript."""
    return max((len(window.transcript) for window in night.windows), default=0)


def opened(night: Night) -> int:
    """The characters of the longest opening."""
    return max((len(window.opening) for window in night.windows), default=0)


def selftest() -> Iterator[tuple[bool, str]]:
    """Run the self-checks: for each whether it holds and its line; last, the count of those that hold."""
    held = 0
    for result in run_checks():
        held += result.holds
        error = f" ({result.error})" if result.error else ""
        yield result.holds, f"{'✓' if result.holds else '✗'} {result.sentence}{error}"
    yield held == len(CHECKS), f"{held} of {len(CHECKS)} self-checks hold"
