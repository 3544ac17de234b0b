# The rule is made of what the readers give.
from forge.harness.schedule_line import ScheduleRequest, next_word, refused, rhythm_of


def parse_schedule(text):
    rhythm, rest = next_word(text)
    frequency, readers = rhythm_of(rhythm)
    parts = []
    for reader in readers:
        word, rest = next_word(rest)
        parts.append(reader(word))
    if not rest:
        raise refused("a prompt", "nothing")
    return ScheduleRequest(";".join(parts), rest)
