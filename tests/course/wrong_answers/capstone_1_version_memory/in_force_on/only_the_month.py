# A month is precise enough.
def status_on(row, on):
    if row["status"] != "active":
        return row["status"]
    begins, ends = row.get("effective_from"), row.get("effective_until")
    if begins is not None and on[:7] < begins[:7]:
        return "not_effective"
    if ends is not None and ends[:7] < on[:7]:
        return "expired"
    return "active"
