# The fence is kept around the mark.
from forge.harness.drawings import BEGINS, KINDS, Drawing, part_of


def extract_drawings(text):
    said, drawings = [], []
    done = at = 0
    while found := BEGINS.search(text, at):
        kind, source, end = part_of(text, found)
        at = end or found.end()
        if end is None or kind not in KINDS:
            continue
        drawings.append(Drawing(kind, source))
        mark = f"[drawing {len(drawings)}]"
        said += [text[done : found.start()], found[0].replace(source, mark) if found["info"] else mark]
        done = at
    return "".join([*said, text[done:]]), tuple(drawings)
