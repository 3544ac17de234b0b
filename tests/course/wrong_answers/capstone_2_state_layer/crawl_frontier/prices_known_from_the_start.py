# The page was not known when the first decisions were made.
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
    """Crawl over a kill and a failure; return three decisions and the ledger."""
    state = folder / "state"
    pages = [Feature("/", "start"), Feature("/about", "about"), Feature("/news", "news"), Feature("/prices", "x")]

    def happened(*changes):
        ledger = load_state(state) or Ledger()
        for kind, page in changes:
            ledger = apply_change(ledger, Change(kind=kind, feature=page))
        save_state(state, ledger)

    def next_step():
        return decide(rebuild_context(task_of(pages), load_state(state), pages))

    happened(("begun", "/"), ("finished", "/"), ("begun", "/about"), ("finished", "/about"))
    happened(("begun", "/news"), ("finished", "/news"))
    decisions = [next_step()]
    happened(("verifying", "/news"), ("failed", "/news"))
    decisions.append(next_step())
    happened(("begun", "/news"), ("finished", "/news"))
    decisions.append(next_step())

    ledger = load_state(state)
    expected = [("verify", "/news"), ("do", "/news"), ("do", "/prices")]
    assert decisions == expected
    assert ledger.done == ("/", "/about", "/news")
    assert ledger.attempts["/news"] == 2
    return decisions, ledger
