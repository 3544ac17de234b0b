# Every event has to be the next one, and so the first of a page does too.
from forge.errors import TailGap


def tail_from_pages(read_page, version, *, size=1_000):
    tail, start = [], version + 1
    page = read_page(start, size)
    while page:
        for event in page:
            if event.sequence != start:
                raise TailGap("a page must start with the event that was asked for", f"expected {start}.")
            tail.append(event)
            start += 1
        page = read_page(start, size)
    return tail
