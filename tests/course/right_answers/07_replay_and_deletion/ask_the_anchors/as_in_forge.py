# The smallest anchor is asked when its line comes, and what is left over was not reached.
from forge.lines import anchor_mismatch


def agreeing(lines, anchors, path):
    asking = [anchor for anchor in anchors if anchor and anchor.count]
    due = sorted(asking, key=lambda anchor: anchor.count)
    number = 0
    for line in lines:
        number = line[1]
        while due and due[0].count == number:
            if due[0].head != line[3]:
                raise anchor_mismatch(due[0], number, line[3], path)
            del due[0]
        yield line
    if due:
        raise anchor_mismatch(due[-1], number, None, path)
