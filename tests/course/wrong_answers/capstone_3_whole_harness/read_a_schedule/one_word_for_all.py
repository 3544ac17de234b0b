# Every reader is given the first word.
from forge.harness.schedule_line import ScheduleRequest, next_word, refused, rhythm_of


def parse_schedule(text):
    rhythm, rest = next_word(text)
    frequency, readers = rhythm_of(rhythm)
    parts = [frequency]
    word, rest = next_word(rest)
    for reader in readers:
        parts.append(reader(word))
    if not rest:
        raise refused("a prompt", "nothing")
    return ScheduleRequest(";".join(parts), rest)
