# What may not be used is left out before anything is ranked.
from forge.versions.questions import words
from forge.versions.states import active_docs


def recall(state, question, limit=3):
    """The `limit` active documents that share the most words with the question."""
    wanted = words(question)
    rows = active_docs(state)
    shared = {id(row): len(wanted & words(row["text"])) for row in rows}
    ranked = sorted(rows, key=lambda row: -shared[id(row)])[:limit]
    return [row for row in ranked if shared[id(row)]]
