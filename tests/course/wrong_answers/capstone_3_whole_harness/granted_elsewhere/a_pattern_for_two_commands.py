# A pattern is a pattern, for commands as well.
from forge.harness.permissions import covers


def holds(grant, asked):
    """Whether a grant is for exactly this session, agent and tool, and its pattern covers the subject.

    A command made of several is covered by its own text only: `git *` must not let `git status; rm -rf .`
    pass.
    """
    own = (grant.session_id, grant.agent, grant.tool) == (asked.session_id, asked.agent, asked.tool)
    return own and covers(grant.pattern, asked)
