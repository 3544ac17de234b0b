# A log that is long enough has lost nothing.
from forge.lines import anchor_mismatch


def agreeing(lines, anchors, path):
    asking = [anchor for anchor in anchors if anchor and anchor.count]
    due = sorted(asking, key=lambda anchor: anchor.count)
    number = 0
    for line in lines:
        number = line[1]
        yield line
    for anchor in due:
        if number < anchor.count:
            raise anchor_mismatch(anchor, number, None, path)
