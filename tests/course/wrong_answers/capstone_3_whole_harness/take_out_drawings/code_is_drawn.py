# A fence is a drawing, whatever it is marked with.
from forge.harness.drawings import BEGINS, Drawing, part_of


def extract_drawings(text):
    said, drawings = [], []
    done = at = 0
    while found := BEGINS.search(text, at):
        kind, source, end = part_of(text, found)
        at = end or found.end()
        if end is None:
            continue
        drawings.append(Drawing(kind, source))
        said += [text[done : found.start()], f"[drawing {len(drawings)}]"]
        done = at
    return "".join([*said, text[done:]]), tuple(drawings)
