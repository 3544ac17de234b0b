# The line is given on, and then it is looked at.
from forge.lines import anchor_mismatch


def agreeing(lines, anchors, path):
    asking = [anchor for anchor in anchors if anchor and anchor.count]
    due = sorted(asking, key=lambda anchor: anchor.count)
    number = 0
    for line in lines:
        yield line
        number = line[1]
        for anchor in due:
            if anchor.count == number and anchor.head != line[3]:
                raise anchor_mismatch(anchor, number, line[3], path)
    for anchor in due:
        if anchor.count > number:
            raise anchor_mismatch(anchor, number, None, path)
