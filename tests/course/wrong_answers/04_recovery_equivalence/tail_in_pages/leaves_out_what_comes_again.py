# What comes a second time is left out, and so a store that repeats itself is believed.


def tail_from_pages(read_page, version, *, size=1_000):
    tail, start = [], version + 1
    while page := read_page(start, size):
        later = [event for event in page if event.sequence >= start]
        if not later:
            break
        tail += later
        start = later[-1].sequence + 1
    return tail
