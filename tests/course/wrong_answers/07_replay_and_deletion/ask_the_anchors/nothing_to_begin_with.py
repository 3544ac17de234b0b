# There is always a line, so the number need not be set before.
from forge.lines import anchor_mismatch


def agreeing(lines, anchors, path):
    asking = [anchor for anchor in anchors if anchor and anchor.count]
    due = sorted(asking, key=lambda anchor: anchor.count)
    for line in lines:
        number = line[1]
        for anchor in due:
            if anchor.count == number and anchor.head != line[3]:
                raise anchor_mismatch(anchor, number, line[3], path)
        yield line
    for anchor in due:
        if anchor.count > number:
            raise anchor_mismatch(anchor, number, None, path)
