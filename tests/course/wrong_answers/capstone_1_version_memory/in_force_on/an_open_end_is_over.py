# Without an end it is not known whether it holds.
def status_on(row, on):
    if row["status"] != "active":
        return row["status"]
    begins, ends = row.get("effective_from") or "", row.get("effective_until") or ""
    if on < begins:
        return "not_effective"
    return "expired" if ends <= on else "active"
