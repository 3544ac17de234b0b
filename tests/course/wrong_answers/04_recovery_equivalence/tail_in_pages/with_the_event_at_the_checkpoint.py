# The tail begins with the event that the checkpoint has seen last.
from forge.errors import TailGap


def tail_from_pages(read_page, version, *, size=1_000):
    tail, start = [], version
    while page := read_page(start, size):
        if page[0].sequence != start:
            raise TailGap("a page must start with the event that was asked for", f"expected {start}.")
        tail += page
        start = page[-1].sequence + 1
    return tail
