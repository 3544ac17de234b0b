# The next number follows from how many events there are already.
from forge.errors import TailGap


def tail_from_pages(read_page, version, *, size=1_000):
    tail = []
    while True:
        start = version + 1 + len(tail)
        page = read_page(start, size)
        if not page:
            return tail
        if page[0].sequence != start:
            raise TailGap("a page must start with the event that was asked for", f"expected {start}.")
        tail.extend(page)
