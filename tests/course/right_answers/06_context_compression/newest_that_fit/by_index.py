# The index of the oldest text that is kept decides how many are covered.
from forge.context.compression import CUT, one_line


def newest(texts, room, seen):
    lines, used = [], 0
    for index in range(len(texts) - 1, -1, -1):
        line = one_line(texts[index])
        if line == "" or line in seen:
            continue
        if used + len(line) + 1 > room:
            if used == 0:
                lines.append(line[: max(room - 2, 0)].rstrip() + CUT)
            return list(reversed(lines)), len(texts) - 1 - index
        lines.append(line)
        seen.add(line)
        used += len(line) + 1
    return list(reversed(lines)), len(texts)
