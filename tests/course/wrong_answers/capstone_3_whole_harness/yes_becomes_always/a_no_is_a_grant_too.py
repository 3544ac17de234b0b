# An answer with a pattern is a grant.
from forge.harness.permissions import Grant
from forge.harness.transcript import Kind


def grants(entries, session_id):
    """The grants that a user gave in this session, from the answers on record."""
    given = [entry.event.data for entry in entries if entry.event.kind is Kind.APPROVAL]
    return [
        Grant(session_id=session_id, agent=data["agent"], tool=data["tool"], pattern=data["pattern"])
        for data in given
        if data["pattern"]
    ]
