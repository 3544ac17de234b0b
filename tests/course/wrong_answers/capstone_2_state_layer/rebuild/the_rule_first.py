# The rule stands before what it is about.
from forge.longrun.summary import PREFACE, RULE, summarize_state


def rebuild_context(base, ledger, features):
    return base + RULE + PREFACE + summarize_state(ledger, features)
