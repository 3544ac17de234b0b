# One anchor is enough, and the first is at hand.
from forge.lines import anchor_mismatch


def agreeing(lines, anchors, path):
    asking = [anchor for anchor in anchors if anchor and anchor.count]
    due = sorted(asking, key=lambda anchor: anchor.count)
    number = 0
    for line in lines:
        number = line[1]
        if due and due[0].count == number and due[0].head != line[3]:
            raise anchor_mismatch(due[0], number, line[3], path)
        yield line
    if due and due[0].count > number:
        raise anchor_mismatch(due[0], number, None, path)
