# All lines are read and checked, and then they are given on.
from forge.lines import anchor_mismatch


def agreeing(lines, anchors, path):
    asking = [anchor for anchor in anchors if anchor and anchor.count]
    due = sorted(asking, key=lambda anchor: anchor.count)
    lines = list(lines)
    hashes = {line[1]: line[3] for line in lines}
    for anchor in due:
        found = hashes.get(anchor.count)
        if found != anchor.head:
            raise anchor_mismatch(anchor, min(anchor.count, len(lines)), found, path)
    yield from lines
