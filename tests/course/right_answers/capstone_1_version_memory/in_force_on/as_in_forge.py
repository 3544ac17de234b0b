# First whether it is active, then its two ends.

def status_on(row, on):
    if row["status"] != "active":
        return str(row["status"])
    begins, ends = row.get("effective_from"), row.get("effective_until")
    if begins is not None and on < begins:
        return "not_effective"
    if ends is not None and ends <= on:
        return "expired"
    return "active"
