# What is remembered is kept by the number of its line.
from forge.lines import anchor_mismatch


def agreeing(lines, anchors, path):
    asking = [anchor for anchor in anchors if anchor and anchor.count]
    due = sorted(asking, key=lambda anchor: anchor.count)
    remembered = {}
    for anchor in due:
        remembered.setdefault(anchor.count, []).append(anchor)
    number = 0
    for line in lines:
        number = line[1]
        for anchor in remembered.pop(number, []):
            if anchor.head != line[3]:
                raise anchor_mismatch(anchor, number, line[3], path)
        yield line
    for left in remembered.values():
        raise anchor_mismatch(left[0], number, None, path)
