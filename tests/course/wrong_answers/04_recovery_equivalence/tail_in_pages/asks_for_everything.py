# The size is left aside, and everything is asked for at once.
from forge.errors import TailGap


def tail_from_pages(read_page, version, *, size=1_000):
    start = version + 1
    page = read_page(start, 1_000_000)
    if page and page[0].sequence != start:
        raise TailGap("a page must start with the event that was asked for", f"expected {start}.")
    return list(page)
