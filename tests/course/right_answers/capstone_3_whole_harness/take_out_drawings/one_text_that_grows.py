# The new text grows as a string, and the drawings beside it.
from forge.harness.drawings import BEGINS, KINDS, Drawing, part_of


def extract_drawings(text):
    said, drawings, taken, at = "", (), 0, 0
    found = BEGINS.search(text)
    while found is not None:
        kind, source, end = part_of(text, found)
        if end is not None and kind in KINDS:
            drawings = (*drawings, Drawing(kind, source))
            said += text[taken : found.start()]
            said += f"[drawing {len(drawings)}]"
            taken = end
        at = found.end() if end is None else end
        found = BEGINS.search(text, at)
    return said + text[taken:], drawings
