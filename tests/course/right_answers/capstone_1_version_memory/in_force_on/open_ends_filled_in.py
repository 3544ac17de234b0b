# An open end is a day before all days, or after them.
def status_on(row, on):
    begins = row.get("effective_from") or "0000-00-00"
    ends = row.get("effective_until") or "~"
    if row["status"] != "active" or begins <= on < ends:
        return row["status"]
    return "not_effective" if on < begins else "expired"
