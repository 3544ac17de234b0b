# A grant holds when one of its parts fits.
from forge.harness.permissions import covers


def holds(grant, asked):
    """Whether a grant is for exactly this session, agent and tool, and its pattern covers the subject.

    A command made of several is covered by its own text only: `git *` must not let `git status; rm -rf .`
    pass.
    """
    own = grant.session_id == asked.session_id or grant.agent == asked.agent
    if asked.is_command and any(mark in asked.subject for mark in ";&|`$<>\n\r"):
        return own and grant.pattern == asked.subject
    return own and covers(grant.pattern, asked)
