# One short page may happen, and two in a row are the end.
from forge.errors import TailGap


def tail_from_pages(read_page, version, *, size=1_000):
    tail, start, short = [], version + 1, 0
    while page := read_page(start, size):
        if page[0].sequence != start:
            raise TailGap("a page must start with the event that was asked for", f"expected {start}.")
        tail += page
        start = page[-1].sequence + 1
        short = short + 1 if len(page) < size else 0
        if short == 2:
            break
    return tail
