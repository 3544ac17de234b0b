# In force is what has begun and has not ended.
def status_on(row, on):
    if row["status"] != "active":
        return row["status"]
    begins, ends = row.get("effective_from") or "", row.get("effective_until")
    if on < begins:
        return "not_effective"
    return "active" if ends is None or on < ends else "expired"
