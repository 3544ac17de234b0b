# The store gives what it was asked for, so no page is looked at.


def tail_from_pages(read_page, version, *, size=1_000):
    tail, start = [], version + 1
    while page := read_page(start, size):
        tail.extend(page)
        start = page[-1].sequence + 1
    return tail
