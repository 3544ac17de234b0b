# Four questions, four values, one comparison.
from forge.versions import Repository, import_document

LAST, FIRST = "2026-12-31", "2027-01-01"
OLD, NEW = "- price of the lamp: 20", "- price of the lamp: 25"
CORRECTED = "- price of the lamp: 24"


def price_list(folder):
    question = "price of the lamp"
    with Repository(folder / "prices.sqlite", durable=False) as prices:
        prices.append(import_document("lamp-2026", 1, "Prices", OLD, effective_until=FIRST))
        prices.append(import_document("lamp-2027", 1, "Prices", NEW, effective_from=FIRST))
        prices.append(import_document("lamp-2027", 2, "Prices", CORRECTED, effective_from=FIRST))
        answers = [
            prices.ask(question, 2, LAST),
            prices.ask(question, 2, FIRST),
            prices.ask(question, 3, FIRST),
            prices.ask(question, 1, FIRST),
        ]
    assert [each.value for each in answers] == ["20", "25", "24", None]
    return answers
