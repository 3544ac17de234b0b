# The real function, with what it needs.
from forge.harness.permissions import covers


def holds(grant, asked):
    """Whether a grant is for exactly this session, agent and tool, and its pattern covers the subject.

    A command made of several is covered by its own text only: `git *` must not let `git status; rm -rf .`
    pass.
    """
    own = (grant.session_id, grant.agent, grant.tool) == (asked.session_id, asked.agent, asked.tool)
    if asked.is_command and any(mark in asked.subject for mark in ";&|`$<>\n\r"):
        return own and grant.pattern == asked.subject
    return own and covers(grant.pattern, asked)
