# Each reader takes its word, and the rest is read in the same way.
from forge.harness.schedule_line import ScheduleRequest, next_word, refused, rhythm_of


def parse_schedule(text):
    def read(parts, readers, rest):
        if readers:
            word, after = next_word(rest)
            return read([*parts, readers[0](word)], readers[1:], after)
        if not rest.strip():
            raise refused("a prompt", rest)
        return ScheduleRequest(";".join(parts), rest)

    first, rest = next_word(text)
    frequency, readers = rhythm_of(first)
    return read([frequency], readers, rest)
