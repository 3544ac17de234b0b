# The size is made smaller when a page is short, so that the next one is full.
from forge.errors import TailGap


def tail_from_pages(read_page, version, *, size=1_000):
    tail, start = [], version + 1
    while page := read_page(start, size):
        if page[0].sequence != start:
            raise TailGap("a page must start with the event that was asked for", f"expected {start}.")
        tail += page
        start = page[-1].sequence + 2
        size = len(page)
    return tail
