# The largest anchor knows most, so it alone is asked.
from forge.lines import anchor_mismatch


def agreeing(lines, anchors, path):
    asking = [anchor for anchor in anchors if anchor and anchor.count]
    due = sorted(asking, key=lambda anchor: anchor.count)
    number = 0
    for line in lines:
        number = line[1]
        if due and due[-1].count == number and due[-1].head != line[3]:
            raise anchor_mismatch(due[-1], number, line[3], path)
        yield line
    if due and due[-1].count > number:
        raise anchor_mismatch(due[-1], number, None, path)
