# Each of the four parts is asked for, and the first that differs says no.
from forge.harness.permissions import covers


def holds(grant, asked):
    for field in ("session_id", "agent", "tool"):
        if getattr(grant, field) != getattr(asked, field):
            return False
    if asked.is_command and set(asked.subject) & set(";&|`$<>\n\r"):
        return grant.pattern == asked.subject
    return covers(grant.pattern, asked)
