# A counter is kept by hand, and older lines are put in front.
from forge.context.compression import CUT, one_line


def newest(texts, room, seen):
    lines, covered = [], 0
    for text in texts[::-1]:
        line = " ".join(text.split())
        if line and line not in seen:
            needed = len(line) + 1
            if needed > room:
                if lines == []:
                    lines = [one_line(line[: max(room - 2, 0)]) + CUT]
                break
            lines.insert(0, line)
            seen |= {line}
            room = room - needed
        covered += 1
    return lines, covered
