# The search goes on inside what was found.
from forge.harness.drawings import BEGINS, KINDS, Drawing, part_of


def extract_drawings(text):
    said, drawings = [], []
    done = end = 0
    while found := BEGINS.search(text, at):
        kind, source, end = part_of(text, found)
        at = found.start() + 1
        if end is None or kind not in KINDS:
            continue
        drawings.append(Drawing(kind, source))
        said += [text[done : found.start()], f"[drawing {len(drawings)}]"]
        done = end
    return "".join([*said, text[done:]]), tuple(drawings)
