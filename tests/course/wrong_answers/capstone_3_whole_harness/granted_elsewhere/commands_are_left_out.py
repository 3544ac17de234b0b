# Session and agent are compared in the last line, where the pattern is.
from forge.harness.permissions import covers


def holds(grant, asked):
    """Whether a grant is for exactly this session, agent and tool, and its pattern covers the subject.

    A command made of several is covered by its own text only: `git *` must not let `git status; rm -rf .`
    pass.
    """
    own = (grant.session_id, grant.agent, grant.tool) == (asked.session_id, asked.agent, asked.tool)
    if asked.is_command and any(mark in asked.subject for mark in ";&|`$<>\n\r"):
        return grant.tool == asked.tool and grant.pattern == asked.subject
    return own and covers(grant.pattern, asked)
