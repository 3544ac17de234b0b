# What has no end is searched on from its next character.
from forge.harness.drawings import BEGINS, KINDS, Drawing, part_of


def extract_drawings(text):
    """The text with a mark in the place of each drawing, and the drawings."""
    said, drawings = [], []
    done = at = 0
    while found := BEGINS.search(text, at):
        kind, source, end = part_of(text, found)
        if end is None:
            at = found.start() + 1
        elif kind not in KINDS:
            at = end
        else:
            drawings.append(Drawing(kind, source))
            said += [text[done : found.start()], f"[drawing {len(drawings)}]"]
            done = at = end
    return "".join([*said, text[done:]]), tuple(drawings)
