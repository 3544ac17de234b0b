# One page is the tail; whoever has more events makes it larger.
from forge.errors import TailGap


def tail_from_pages(read_page, version, *, size=1_000):
    start = version + 1
    page = read_page(start, size)
    if page and page[0].sequence != start:
        raise TailGap("a page must start with the event that was asked for", f"expected {start}.")
    return list(page)
