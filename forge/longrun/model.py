"""A model that is a function: it reads the text of its window, and nothing else in the world.

It knows no ledger, no disk and no switch. What it believes is what the lines say, a later line over an
earlier one, as a real model trusts what it read last.
"""

from typing import NamedTuple


class Decision(NamedTuple):
    """The next step: `do` a feature, `verify` how one ended, or `stop`."""

    act: str
    feature: str | None = None


def decide(text: str) -> Decision:
    """What to do next, from the text of the window."""
    listed: dict[str, None] = {}
    done: set[str] = set()
    starts: dict[str, int] = {}
    unknown, patience = None, 0
    for line in text.split("\n"):
        word, _, rest = line.partition(" ")
        ids = [one for one in rest.partition(" (")[0].split() if one in listed] if word[-1:] == ":" else []
        if word == "-":
            listed[rest.partition(":")[0]] = None
        elif word == "Patience:":
            patience = int(rest.split()[0])
        elif word == "Started:":
            for one in ids:
                starts[one], unknown = starts.get(one, 0) + 1, one
        elif word in ("Done:", "Failed:"):
            (done.update if word == "Done:" else done.difference_update)(ids)
            unknown = None if unknown in ids else unknown
        elif word == "Unknown:":
            unknown = ids[0] if ids else unknown
        elif word == "Tried:":
            starts.update((one, int(rest.partition(" (")[2].split()[0])) for one in ids)
        elif word == "??":
            # A receipt of git: this file is not committed, so its feature is not done.
            done.discard(rest.removeprefix("features/").removesuffix(".txt"))
    if unknown and unknown not in done:
        return Decision("verify", unknown)
    for one in listed:
        if one not in done and (not patience or starts.get(one, 0) < patience):
            return Decision("do", one)
    return Decision("stop")
