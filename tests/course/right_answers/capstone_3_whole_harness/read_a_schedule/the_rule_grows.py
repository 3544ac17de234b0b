# The rule grows as a text, with its separator before each part.
from forge.harness.schedule_line import ScheduleRequest, next_word, refused, rhythm_of


def parse_schedule(text):
    rhythm, prompt = next_word(text)
    rule, readers = rhythm_of(rhythm)
    for read in readers:
        word, prompt = next_word(prompt)
        rule = f"{rule};{read(word)}"
    if prompt == "":
        raise refused("a prompt", prompt)
    return ScheduleRequest(rrule=rule, prompt=prompt)
