# An interval has two ends, or it is none.
def status_on(row, on):
    if row["status"] != "active":
        return row["status"]
    begins, ends = row.get("effective_from"), row.get("effective_until")
    if begins is None or ends is None:
        return "active"
    if on < begins:
        return "not_effective"
    return "expired" if ends <= on else "active"
