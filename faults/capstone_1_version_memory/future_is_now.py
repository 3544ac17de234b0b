def status_on(row, on):
    """The status of a document's row on a day."""
    ends = row.get("effective_until")
    if row["status"] == "active" and ends is not None and ends <= on:
        return "expired"
    return row["status"]
