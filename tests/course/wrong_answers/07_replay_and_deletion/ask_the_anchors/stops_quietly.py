# Lines that cannot be trusted are not given on, and that is all.
from forge.lines import anchor_mismatch


def agreeing(lines, anchors, path):
    asking = [anchor for anchor in anchors if anchor and anchor.count]
    due = sorted(asking, key=lambda anchor: anchor.count)
    for line in lines:
        for anchor in due:
            if anchor.count == line[1] and anchor.head != line[3]:
                return
        yield line
