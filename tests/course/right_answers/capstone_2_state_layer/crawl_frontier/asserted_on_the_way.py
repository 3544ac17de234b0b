# Each decision is asserted where it is made.
from forge.longrun import (
    Change,
    Feature,
    Ledger,
    apply_change,
    decide,
    load_state,
    rebuild_context,
    save_state,
    task_of,
)


def crawl_frontier(folder):
    state, names = folder / "state", ["/", "/about", "/news"]
    ledger = Ledger()

    def tell(kind, page):
        nonlocal ledger
        ledger = apply_change(ledger, Change(kind=kind, feature=page))
        save_state(state, ledger)

    def ask():
        pages = [Feature(name, "a page") for name in names]
        return decide(rebuild_context(task_of(pages), load_state(state), pages))

    for page in ("/", "/about"):
        tell("begun", page)
        tell("finished", page)
    tell("begun", "/news")
    first = ask()
    assert first == ("verify", "/news")
    tell("failed", "/news")
    second = ask()
    assert second == ("do", "/news")
    tell("begun", "/news")
    assert load_state(state).attempts["/news"] == 2
    tell("finished", "/news")
    names.append("/prices")
    third = ask()
    assert third == ("do", "/prices")
    return [first, second, third], load_state(state)
