# The caller's set is left as it was, and a new one goes on.
from forge.context.compression import CUT, one_line


def newest(texts, room, seen):
    """The newest texts that fit, oldest first, and how many of `texts` they cover."""
    lines = []
    # Walk from the newest text to the oldest. Where the first does not fit:
    #     if not lines:
    #         lines = [line[: max(room - 2, 0)].rstrip() + CUT]
    covered = 0
    for text in reversed(texts):
        line = one_line(text)
        if not line or line in seen:
            covered += 1
            continue
        if len(line) + 1 > room:
            if not lines:
                lines = [line[: max(room - 2, 0)].rstrip() + CUT]
            break
        lines.insert(0, line)
        seen = seen | {line}
        room -= len(line) + 1
        covered += 1
    return lines, covered
