# Every answer is looked at, and those with a pattern are kept.
from forge.harness.permissions import Grant
from forge.harness.transcript import Kind


def grants(entries, session_id):
    found = []
    for entry in entries:
        data = entry.event.data
        if entry.event.kind is not Kind.APPROVAL or data["allowed"] is not True or not data["pattern"]:
            continue
        found.append(
            Grant(session_id=session_id, agent=data["agent"], tool=data["tool"], pattern=data["pattern"])
        )
    return found
