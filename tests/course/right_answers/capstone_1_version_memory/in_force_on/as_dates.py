# Days are compared as days.
from datetime import date


def status_on(row, on):
    if row["status"] == "active":
        day = date.fromisoformat(on)
        if row.get("effective_from") and day < date.fromisoformat(row["effective_from"]):
            return "not_effective"
        if row.get("effective_until") and day >= date.fromisoformat(row["effective_until"]):
            return "expired"
    return row["status"]
