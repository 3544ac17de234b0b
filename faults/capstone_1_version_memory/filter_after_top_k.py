from forge.versions.questions import words


def recall(state, question, limit=3):
    """The `limit` documents that share the most words with the question, if they are active."""
    wanted = words(question)
    documents = sorted(state["documents"].items())
    rows = [row for _, versions in documents for row in versions.values()]
    shared = {id(row): len(wanted & words(row["text"])) for row in rows}
    ranked = sorted(rows, key=lambda row: -shared[id(row)])[:limit]
    return [row for row in ranked if shared[id(row)] and row["status"] == "active"]
