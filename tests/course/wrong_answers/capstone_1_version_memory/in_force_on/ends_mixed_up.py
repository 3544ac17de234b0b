# The two words say the same: not now.
def status_on(row, on):
    if row["status"] != "active":
        return row["status"]
    begins, ends = row.get("effective_from"), row.get("effective_until")
    if begins is not None and on < begins:
        return "expired"
    if ends is not None and ends <= on:
        return "not_effective"
    return "active"
