# A page with fewer events than were asked for is the last one.
from forge.errors import TailGap


def tail_from_pages(read_page, version, *, size=1_000):
    tail, start = [], version + 1
    while True:
        page = read_page(start, size)
        if page and page[0].sequence != start:
            raise TailGap("a page must start with the event that was asked for", f"expected {start}.")
        tail += page
        if len(page) < size:
            return tail
        start = page[-1].sequence + 1
