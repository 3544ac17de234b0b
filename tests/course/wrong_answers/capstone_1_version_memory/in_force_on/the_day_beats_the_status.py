# Whether it is in force decides the day alone.
def status_on(row, on):
    begins, ends = row.get("effective_from"), row.get("effective_until")
    if begins is not None and on < begins:
        return "not_effective"
    if ends is not None and ends <= on:
        return "expired"
    return row["status"]
