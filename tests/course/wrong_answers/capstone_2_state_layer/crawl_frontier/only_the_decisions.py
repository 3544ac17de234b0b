# A failure that leaves no trace leads to the same decisions.
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
    pages = [Feature("/", "start"), Feature("/about", "about"), Feature("/news", "news")]

    def happened(*changes):
        ledger = load_state(state) or Ledger()
        for kind, page in changes:
            ledger = apply_change(ledger, Change(kind=kind, feature=page))
        save_state(state, ledger)

    def next_step():
        return decide(rebuild_context(task_of(pages), load_state(state), pages))

    happened(("begun", "/"), ("finished", "/"), ("begun", "/about"), ("finished", "/about"))
    happened(("begun", "/news"))
    decisions = [next_step()]
    happened(("verifying", "/news"), ("failed", "/news"))
    decisions.append(next_step())
    happened(("begun", "/news"), ("finished", "/news"))
    pages.append(Feature("/prices", "found on the way"))
    decisions.append(next_step())

    ledger = load_state(state)
    expected = [("verify", "/news"), ("do", "/news"), ("do", "/prices")]
    assert decisions == expected
    return decisions, ledger
