# The last version of each document is the one that counts.
from forge.versions.questions import words
from forge.versions.states import latest_of


def recall(state, question, limit=3):
    wanted = words(question)
    rows = [latest_of(versions) for _, versions in sorted(state["documents"].items())]
    rows = [row for row in rows if wanted & words(row["text"])]
    return sorted(rows, key=lambda row: -len(wanted & words(row["text"])))[:limit]
