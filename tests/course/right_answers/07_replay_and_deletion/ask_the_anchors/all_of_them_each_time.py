# Every anchor is asked at every line, and once more at the end.
from forge.lines import anchor_mismatch


def agreeing(lines, anchors, path):
    asking = [anchor for anchor in anchors if anchor and anchor.count]
    due = sorted(asking, key=lambda anchor: anchor.count)
    number = 0
    for line in lines:
        _, number, _, record_hash, _ = line
        for anchor in due:
            if anchor.count == number and anchor.head != record_hash:
                raise anchor_mismatch(anchor, number, record_hash, path)
        yield line
    for anchor in due:
        if anchor.count > number:
            raise anchor_mismatch(anchor, number, None, path)
