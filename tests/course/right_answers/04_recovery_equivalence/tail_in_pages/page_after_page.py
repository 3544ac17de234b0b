# Reading a tail is reading a page and then the tail behind it.
from forge.errors import TailGap


def tail_from_pages(read_page, version, *, size=1_000):
    start = version + 1
    page = read_page(start, size)
    if not page:
        return []
    if page[0].sequence != start:
        raise TailGap("a page must start with the event that was asked for", f"expected {start}.")
    return [*page, *tail_from_pages(read_page, page[-1].sequence, size=size)]
