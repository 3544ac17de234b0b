# Each anchor becomes a generator around the one before.
from forge.lines import anchor_mismatch


def agreeing(lines, anchors, path):
    asking = [anchor for anchor in anchors if anchor and anchor.count]
    due = sorted(asking, key=lambda anchor: anchor.count)
    for anchor in due:
        lines = asked(lines, anchor, path)
    yield from lines


def asked(lines, anchor, path):
    number = 0
    for line in lines:
        number = line[1]
        if number == anchor.count and line[3] != anchor.head:
            raise anchor_mismatch(anchor, number, line[3], path)
        yield line
    if number < anchor.count:
        raise anchor_mismatch(anchor, number, None, path)
