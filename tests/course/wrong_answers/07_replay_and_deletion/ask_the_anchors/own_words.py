# Any ValueError stops the reader.
from forge.lines import anchor_mismatch


def agreeing(lines, anchors, path):
    asking = [anchor for anchor in anchors if anchor and anchor.count]
    due = sorted(asking, key=lambda anchor: anchor.count)
    number = 0
    for line in lines:
        number = line[1]
        for anchor in due:
            if anchor.count == number and anchor.head != line[3]:
                raise ValueError("another hash")
        yield line
    for anchor in due:
        if anchor.count > number:
            raise ValueError("too short")
