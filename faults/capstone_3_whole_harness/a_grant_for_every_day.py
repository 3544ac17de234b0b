from forge.harness.permissions import covers


def holds(grant, asked):
    """Whether a grant covers what is asked."""
    own = (grant.agent, grant.tool) == (asked.agent, asked.tool)
    if asked.is_command and any(mark in asked.subject for mark in ";&|`$<>\n\r"):
        return own and grant.pattern == asked.subject
    return own and covers(grant.pattern, asked)
