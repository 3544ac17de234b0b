# A text that was said before is quoted again.
from forge.context.compression import CUT, one_line


def newest(texts, room, seen):
    lines = []
    for covered, text in enumerate(reversed(texts)):
        line = one_line(text)
        if not line:
            continue
        if len(line) >= room:
            if not lines:
                lines = [line[: max(room - 2, 0)].rstrip() + CUT]
            return lines[::-1], covered
        seen.add(line)
        lines.append(line)
        room -= len(line) + 1
    return lines[::-1], len(texts)
