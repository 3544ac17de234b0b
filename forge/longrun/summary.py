"""From the ledger to the text that a window begins with: the one translation from disk to model.

Its reader is the model in the next window: conclusions first, one a line, features by their ids. It is
equivalent to the conversation that is gone, not identical: what was thought is lost, and everything that
decides the next step is there.
"""

from __future__ import annotations

from collections.abc import Sequence

from .features import Feature
from .ledger import Ledger


def summarize_state(ledger: Ledger, features: Sequence[Feature]) -> str:
    """What the next window has to know, as text. A pure function: nothing reads it but a model."""
    lines = [
        f"Done: {' '.join(ledger.done) or 'none'} ({len(ledger.done)} of {len(features)})",
        f"Spent: {counted(ledger.spent.windows, 'window')}, {counted(ledger.spent.steps, 'step')}.",
    ]
    if ledger.current and ledger.current not in ledger.done:
        lines.append(f"Unknown: {ledger.current}")
    tried = [feature for feature in ledger.attempts if feature not in ledger.done]
    lines += [f"Tried: {feature} ({counted(ledger.attempts[feature], 'start')})" for feature in tried]
    return "\n".join(lines) + "\n"


PREFACE = """\
This is no replay of a conversation. It was rebuilt from the state on disk.
Earlier conversation no longer exists. Do not quote it.
"""

RULE = """\
Next: verify what is unknown. Then take the first feature of the list that is not done.
Do nothing again that is done, and leave alone what was tried too often.
"""


def rebuild_context(base: str, ledger: Ledger, features: Sequence[Feature]) -> str:
    """The opening of a window: the task, then what this is, how things stand, and what to do next."""
    return base + PREFACE + summarize_state(ledger, features) + RULE


def counted(count: int, word: str) -> str:
    """The number with its word: 1 window, 2 windows."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
