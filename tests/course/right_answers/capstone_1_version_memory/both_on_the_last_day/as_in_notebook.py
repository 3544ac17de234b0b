# The day on which a document ends is the first one without it.

def status_on(row, on):
    """The status of a document's row on a day: of an active one, whether it is in force."""
    if row["status"] != "active":
        return row["status"]
    begins, ends = row.get("effective_from"), row.get("effective_until")
    if begins is not None and on < begins:
        return "not_effective"
    if ends is not None and ends <= on:
        return "expired"
    return "active"
