# All drawings are found first, and replaced from the last to the first.
from forge.harness.drawings import BEGINS, KINDS, Drawing, part_of


def extract_drawings(text):
    places, at = [], 0
    while True:
        found = BEGINS.search(text, at)
        if not found:
            break
        kind, source, end = part_of(text, found)
        if end is None:
            at = found.end()
            continue
        at = end
        if kind in KINDS:
            places.append((found.start(), end, Drawing(kind, source)))
    for number in range(len(places), 0, -1):
        start, end, _ = places[number - 1]
        text = f"{text[:start]}[drawing {number}]{text[end:]}"
    return text, tuple(drawing for _, _, drawing in places)
