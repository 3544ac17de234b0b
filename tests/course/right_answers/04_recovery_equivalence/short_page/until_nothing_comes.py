# The store is asked again until it gives nothing.
from forge.errors import TailGap


def tail_from_pages(read_page, version, *, size=1_000):
    tail, start = [], version + 1
    page = read_page(start, size)
    while len(page) > 0:
        if page[0].sequence != start:
            raise TailGap("a page must start with the event that was asked for", f"expected {start}.")
        tail += page
        start = tail[-1].sequence + 1
        page = read_page(start, size)
    return tail
