# The loop has one way out, and it is the empty page.
from forge.errors import TailGap


def tail_from_pages(read_page, version, *, size=1_000):
    tail, start = [], version + 1
    for page in iter(lambda: read_page(start, size), []):
        if page[0].sequence != start:
            raise TailGap("a page must start with the event that was asked for", f"expected {start}.")
        tail += page
        start += len(page)
    return tail
