# Nothing says what comes next.
from forge.longrun.summary import PREFACE, RULE, summarize_state


def rebuild_context(base, ledger, features):
    return base + PREFACE + summarize_state(ledger, features)
