# A schedule without a prompt does nothing, and that is allowed.
from forge.harness.schedule_line import ScheduleRequest, next_word, rhythm_of


def parse_schedule(text):
    rhythm, rest = next_word(text)
    frequency, readers = rhythm_of(rhythm)
    parts = [frequency]
    for reader in readers:
        word, rest = next_word(rest)
        parts.append(reader(word))
    return ScheduleRequest(";".join(parts), rest)
