# Until the 16th includes the 16th.
def status_on(row, on):
    if row["status"] != "active":
        return row["status"]
    begins, ends = row.get("effective_from"), row.get("effective_until")
    if begins is not None and on < begins:
        return "not_effective"
    if ends is not None and ends < on:
        return "expired"
    return "active"
