# As the notebook's solved edition has it.
from forge.errors import TailGap


def tail_from_pages(read_page, version, *, size=1_000):
    """Every event after event `version`, read until a page is empty."""
    tail = []
    start = version + 1
    while page := read_page(start, size):
        if page[0].sequence != start:
            raise TailGap(
                "a page must start with the event that was asked for",
                f"page {start} starts with event {page[0].sequence}.",
                f"Read the tail again from {version + 1}.",
            )
        tail += page
        start = page[-1].sequence + 1
    return tail
