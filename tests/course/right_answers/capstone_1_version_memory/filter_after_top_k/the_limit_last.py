# Everything is ranked, then filtered, and only then cut.
from forge.versions.questions import words


def recall(state, question, limit=3):
    wanted = words(question)
    documents = sorted(state["documents"].items())
    rows = [row for _, versions in documents for row in versions.values()]
    ranked = sorted(rows, key=lambda row: -len(wanted & words(row["text"])))
    fit = [row for row in ranked if row["status"] == "active" and wanted & words(row["text"])]
    return fit[:limit]
