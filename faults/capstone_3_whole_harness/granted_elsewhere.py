from forge.harness.permissions import covers


def holds(grant, asked):
    """Whether a grant covers what is asked."""
    if asked.is_command and any(mark in asked.subject for mark in ";&|`$<>\n\r"):
        return grant.tool == asked.tool and grant.pattern == asked.subject
    return grant.tool == asked.tool and covers(grant.pattern, asked)
